/** A pool's configuration file: one class for each table. */
@NullMarked
package io.entrepot.pool.settings;

import org.jspecify.annotations.NullMarked;
