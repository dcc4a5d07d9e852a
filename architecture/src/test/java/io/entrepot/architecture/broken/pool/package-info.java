@NullMarked
package io.entrepot.architecture.broken.pool;

import org.jspecify.annotations.NullMarked;
