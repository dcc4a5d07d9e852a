@NullMarked
package io.entrepot.architecture.broken.lease;

import org.jspecify.annotations.NullMarked;
