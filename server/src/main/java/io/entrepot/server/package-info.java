/** The pool as a service. */
@NullMarked
package io.entrepot.server;

import org.jspecify.annotations.NullMarked;
