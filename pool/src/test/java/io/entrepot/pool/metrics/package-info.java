@NullMarked
package io.entrepot.pool.metrics;

import org.jspecify.annotations.NullMarked;
