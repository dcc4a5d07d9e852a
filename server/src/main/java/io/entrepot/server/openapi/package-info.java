/** The description of all that can be called. */
@NullMarked
package io.entrepot.server.openapi;

import org.jspecify.annotations.NullMarked;
