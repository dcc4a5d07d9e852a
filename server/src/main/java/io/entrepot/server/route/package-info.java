/** What can be called, as data, and what every call passes. */
@NullMarked
package io.entrepot.server.route;

import org.jspecify.annotations.NullMarked;
