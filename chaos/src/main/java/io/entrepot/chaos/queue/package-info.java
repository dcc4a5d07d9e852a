/** The queue among kills, power cuts, broken disks, late workers and jumping clocks. */
@NullMarked
package io.entrepot.chaos.queue;

import org.jspecify.annotations.NullMarked;
