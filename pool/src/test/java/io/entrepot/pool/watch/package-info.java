@NullMarked
package io.entrepot.pool.watch;

import org.jspecify.annotations.NullMarked;
