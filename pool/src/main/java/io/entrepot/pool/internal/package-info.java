/** How the pool does what it promises. */
@NullMarked
package io.entrepot.pool.internal;

import org.jspecify.annotations.NullMarked;
