package io.entrepot.bench.queue.peers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** One connection to the table, each statement a transaction of its own. */
final class PostgresLine implements Line {

    private final Connection connection;
    private final PreparedStatement claim;
    private final PreparedStatement finish;

    PostgresLine(Connection connection, int rows) throws SQLException {
        this.connection = connection;
        String ready = "SELECT id FROM item WHERE holder IS NULL ORDER BY id LIMIT " + rows + " FOR UPDATE SKIP LOCKED";
        this.claim = connection.prepareStatement(
                "UPDATE item SET holder = 'bench', held_until = now() + interval '1 minute' WHERE id = "
                        + (rows == 1 ? "(" + ready + ")" : "ANY (ARRAY(" + ready + "))") + " RETURNING id, payload");
        this.finish = connection.prepareStatement("DELETE FROM item WHERE id = ANY (?)");
    }

    @Override
    public List<Long> claim(int tenant, int count) throws SQLException {
        List<Long> ids = new ArrayList<>(count);
        try (ResultSet claimed = claim.executeQuery()) {
            while (claimed.next()) {
                ids.add(claimed.getLong(1));
            }
        }
        return ids;
    }

    @Override
    public void finish(int tenant, List<Long> claimed) throws SQLException {
        finish.setArray(1, connection.createArrayOf("bigint", claimed.toArray()));
        if (finish.executeUpdate() != claimed.size()) {
            throw new SQLException("some of these were not there any more: " + claimed);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
