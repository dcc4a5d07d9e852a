@NullMarked
package io.entrepot.pool.settings;

import org.jspecify.annotations.NullMarked;
