/** What both forms share. */
@NullMarked
package io.entrepot.posix.internal;

import org.jspecify.annotations.NullMarked;
