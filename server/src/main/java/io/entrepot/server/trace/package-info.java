/** Requests as spans of a trace, told to whoever gathers them (OpenTelemetry). */
@NullMarked
package io.entrepot.server.trace;

import org.jspecify.annotations.NullMarked;
