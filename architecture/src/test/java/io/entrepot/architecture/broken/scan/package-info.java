@NullMarked
package io.entrepot.architecture.broken.scan;

import org.jspecify.annotations.NullMarked;
