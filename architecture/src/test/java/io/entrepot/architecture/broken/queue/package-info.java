@NullMarked
package io.entrepot.architecture.broken.queue;

import org.jspecify.annotations.NullMarked;
