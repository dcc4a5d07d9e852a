/** Where bytes are kept: what the pool asks of a volume, and volumes that are directories. */
@NullMarked
package io.entrepot.pool.volume;

import org.jspecify.annotations.NullMarked;
