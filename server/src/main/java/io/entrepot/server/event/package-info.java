/** What happens, told to those who follow. */
@NullMarked
package io.entrepot.server.event;

import org.jspecify.annotations.NullMarked;
