/** Leases with epochs: who may do a thing now, and how everybody else can tell. */
@NullMarked
package io.entrepot.lease;

import org.jspecify.annotations.NullMarked;
