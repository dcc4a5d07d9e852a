/** Durable metadata: short units of work, committed many at a time, on one small interface. */
@NullMarked
package io.entrepot.store;

import org.jspecify.annotations.NullMarked;
