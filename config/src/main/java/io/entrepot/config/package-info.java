/** Configuration files: what may stand in them, what does, where each value comes from, and what is wrong with them. */
@NullMarked
package io.entrepot.config;

import org.jspecify.annotations.NullMarked;
