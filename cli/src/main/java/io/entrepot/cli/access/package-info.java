/**
 * What commands use of a pool, in this process or behind a server. {@link io.entrepot.cli.access.PoolAccess} is the door; for each
 * concept there is an interface, with an {@code Embedded…} and a {@code Remote…}. No command asks which it has.
 */
@org.jspecify.annotations.NullMarked
package io.entrepot.cli.access;
