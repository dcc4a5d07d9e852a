/** The store on SQLite: one writer with group commit, readers on snapshots. */
@NullMarked
package io.entrepot.store.internal.sqlite;

import org.jspecify.annotations.NullMarked;
