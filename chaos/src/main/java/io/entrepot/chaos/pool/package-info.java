/** What the pool must survive: crashes, power cuts, broken disks and hostile names. */
@NullMarked
package io.entrepot.chaos.pool;

import org.jspecify.annotations.NullMarked;
