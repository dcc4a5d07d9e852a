/** What every implementation of the store shares. */
@NullMarked
package io.entrepot.store.internal;

import org.jspecify.annotations.NullMarked;
