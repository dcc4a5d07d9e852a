/** Work in the background that can be seen, started and stopped. */
@NullMarked
package io.entrepot.pool.job;

import org.jspecify.annotations.NullMarked;
