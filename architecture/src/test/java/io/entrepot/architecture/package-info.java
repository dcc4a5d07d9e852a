/** Checks on the classes of all modules: who knows whom, and what they may not do. */
@NullMarked
package io.entrepot.architecture;

import org.jspecify.annotations.NullMarked;
