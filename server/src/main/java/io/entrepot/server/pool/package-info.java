/** What can be called about the pool, a class for each concept. */
@NullMarked
package io.entrepot.server.pool;

import org.jspecify.annotations.NullMarked;
