/** Programs of others that are measured beside ours, and where they come from. */
@NullMarked
package io.entrepot.bench.peers;

import org.jspecify.annotations.NullMarked;
