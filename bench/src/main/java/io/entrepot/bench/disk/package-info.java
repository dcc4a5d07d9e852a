/** What the disk can do: the limits under everything else. */
@NullMarked
package io.entrepot.bench.disk;

import org.jspecify.annotations.NullMarked;
