/** The server killed under its clients, and clients that are rude. */
@NullMarked
package io.entrepot.chaos.server;

import org.jspecify.annotations.NullMarked;
