/** The configuration read again while the server runs. */
@NullMarked
package io.entrepot.server.reload;

import org.jspecify.annotations.NullMarked;
