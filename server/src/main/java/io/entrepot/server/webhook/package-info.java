/** What happens, sent to those who want to be told. */
@NullMarked
package io.entrepot.server.webhook;

import org.jspecify.annotations.NullMarked;
