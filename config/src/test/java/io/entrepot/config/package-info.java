@NullMarked
package io.entrepot.config;

import org.jspecify.annotations.NullMarked;
