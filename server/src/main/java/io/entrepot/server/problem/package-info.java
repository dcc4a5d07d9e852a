/** What goes wrong, as those who call see it. */
@NullMarked
package io.entrepot.server.problem;

import org.jspecify.annotations.NullMarked;
