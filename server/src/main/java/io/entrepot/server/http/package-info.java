/** Bytes over HTTP: ranges, conditions, forms. */
@NullMarked
package io.entrepot.server.http;

import org.jspecify.annotations.NullMarked;
