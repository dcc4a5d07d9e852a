package io.entrepot.store.internal;

import io.entrepot.store.IncompatibleDataException;
import io.entrepot.store.Schema;
import io.entrepot.store.Transaction;
import java.util.List;
import java.util.Optional;

/** Brings the tables of every component to the version that this software knows, each step in the same transaction. */
public final class Migrations {
    private final String dialect;
    private final List<Schema> schemas;

    public Migrations(String dialect, List<Schema> schemas) {
        this.dialect = dialect;
        this.schemas = List.copyOf(schemas);
    }

    public void run(Transaction tx, String where) {
        tx.update("CREATE TABLE IF NOT EXISTS schema_version (component TEXT PRIMARY KEY, version INTEGER NOT NULL)");
        for (Schema schema : schemas) {
            int found = version(tx, schema).orElse(0);
            if (found > schema.version()) {
                throw new IncompatibleDataException(
                        where + " was written by a newer version of Entrepot (" + schema.component()
                                + " schema " + found + ", this one knows up to " + schema.version()
                                + "); use that version, or restore a backup made by this one");
            }
            for (int n = found + 1; n <= schema.version(); n++) {
                schema.migration(dialect, n).forEach(tx::update);
            }
            if (found < schema.version()) {
                tx.update(
                        "INSERT INTO schema_version VALUES (?, ?) ON CONFLICT (component) DO UPDATE SET version = excluded.version",
                        schema.component(), schema.version());
            }
        }
    }

    public void afterRestore(Transaction tx) {
        schemas.forEach(schema -> schema.onRestore(dialect).forEach(tx::update));
    }

    private static Optional<Integer> version(Transaction tx, Schema schema) {
        return tx.first("SELECT version FROM schema_version WHERE component = ?", row -> row.getInt(1),
                schema.component());
    }
}
