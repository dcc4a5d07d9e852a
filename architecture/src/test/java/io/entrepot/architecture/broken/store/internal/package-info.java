@NullMarked
package io.entrepot.architecture.broken.store.internal;

import org.jspecify.annotations.NullMarked;
