@NullMarked
package io.entrepot.pool.job;

import org.jspecify.annotations.NullMarked;
