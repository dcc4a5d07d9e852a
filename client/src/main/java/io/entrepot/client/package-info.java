/** A pool behind a server: the same calls as on one in this process. */
@NullMarked
package io.entrepot.client;

import org.jspecify.annotations.NullMarked;
