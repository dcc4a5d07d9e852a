package io.entrepot.store.internal.jdbc;

import io.entrepot.lease.Nonces;
import io.entrepot.store.Incarnation;
import io.entrepot.store.internal.Migrations;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;

/** The first transaction on a database that is opened: its tables are brought up to date, its life begins or goes on. */
public record Lives(Migrations migrations, Nonces nonces, String where) {

    /** {@code restored}: it comes from a backup, and begins a new life. */
    public Incarnation begin(JdbcTransaction tx, boolean restored) throws SQLException {
        try {
            tx.beginGroup(() -> Instant.EPOCH);
            tx.beginUnit();
            Incarnation incarnation = begun(tx, restored);
            tx.keepUnit();
            tx.commit();
            return incarnation;
        } catch (SQLException | RuntimeException e) {
            try {
                tx.rollback();
            } catch (SQLException rollback) {
                e.addSuppressed(rollback);
            }
            throw e;
        }
    }

    private Incarnation begun(JdbcTransaction tx, boolean restored) throws SQLException {
        migrations.run(tx, where);
        Meta meta = new Meta(tx.sql());
        long lives = meta.number("lives");
        if (lives > 0 && !restored) {
            return new Incarnation(lives, meta.text("incarnation").orElse(""));
        }
        if (lives > 0) {
            migrations.afterRestore(tx);
        }
        Incarnation incarnation = new Incarnation(lives + 1, HexFormat.of().toHexDigits(nonces.next()));
        tx.update("INSERT INTO meta VALUES ('lives', ?), ('incarnation', ?)"
                + " ON CONFLICT (key) DO UPDATE SET value = excluded.value", String.valueOf(lives + 1),
                incarnation.id());
        return incarnation;
    }
}
