/** Uploads that go on after a break, by the tus protocol. */
@NullMarked
package io.entrepot.server.tus;

import org.jspecify.annotations.NullMarked;
