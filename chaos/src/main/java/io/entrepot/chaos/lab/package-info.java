/** Shows that the lab itself is honest: what it calls a crash or a power cut is one. */
@NullMarked
package io.entrepot.chaos.lab;

import org.jspecify.annotations.NullMarked;
