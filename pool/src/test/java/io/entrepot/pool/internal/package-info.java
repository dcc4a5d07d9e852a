@NullMarked
package io.entrepot.pool.internal;

import org.jspecify.annotations.NullMarked;
