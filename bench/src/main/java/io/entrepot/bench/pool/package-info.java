/** Measures the pool: durable small writes, large files, import, and the whole way of a file. */
@NullMarked
package io.entrepot.bench.pool;

import org.jspecify.annotations.NullMarked;
