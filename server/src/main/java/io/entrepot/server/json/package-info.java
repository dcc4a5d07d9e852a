/** What is asked and answered, described once: read, written and documented from the same words. */
@NullMarked
package io.entrepot.server.json;

import org.jspecify.annotations.NullMarked;
