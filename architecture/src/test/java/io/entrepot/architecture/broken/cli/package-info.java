@NullMarked
package io.entrepot.architecture.broken.cli;

import org.jspecify.annotations.NullMarked;
