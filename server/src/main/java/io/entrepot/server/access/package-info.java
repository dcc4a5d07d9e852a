/** Who may do what: keys, scopes, limits, and what was done. */
@NullMarked
package io.entrepot.server.access;

import org.jspecify.annotations.NullMarked;
