@NullMarked
package io.entrepot.pool.event;

import org.jspecify.annotations.NullMarked;
