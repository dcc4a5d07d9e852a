/** What was asked of a queue and what it answered, and whether that can be. */
@NullMarked
package io.entrepot.chaos.history;

import org.jspecify.annotations.NullMarked;
