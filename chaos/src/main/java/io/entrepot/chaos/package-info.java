/** Crash, fault and history tests, run from the command line. */
@NullMarked
package io.entrepot.chaos;

import org.jspecify.annotations.NullMarked;
