@NullMarked
package io.entrepot.architecture.broken.store;

import org.jspecify.annotations.NullMarked;
