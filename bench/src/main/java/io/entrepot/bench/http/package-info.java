/** The server: what it takes over HTTP, and how it starts. */
@NullMarked
package io.entrepot.bench.http;

import org.jspecify.annotations.NullMarked;
