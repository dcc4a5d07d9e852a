/** The pool in figures, for Micrometer. The only package that knows it: whoever does not use it does not need the library. */
@NullMarked
package io.entrepot.pool.metrics;

import org.jspecify.annotations.NullMarked;
