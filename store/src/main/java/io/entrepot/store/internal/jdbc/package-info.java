/** What a store on any database with JDBC is made of: statements, the transaction of a group, and group commit. */
@NullMarked
package io.entrepot.store.internal.jdbc;

import org.jspecify.annotations.NullMarked;
