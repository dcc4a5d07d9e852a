@NullMarked
package io.entrepot.pool.process;

import org.jspecify.annotations.NullMarked;
