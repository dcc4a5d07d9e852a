package io.entrepot.store.internal.postgres;

import io.entrepot.store.internal.jdbc.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the processes that have one store open tell each other what they have committed.
 *
 * @param sender tells this store's notices from those of all others
 */
record Channel(String name, String sender) {
    /** There are new events. */
    static final String EVENTS = "";

    /** They are heard when the transaction commits, by everybody but the sender. */
    void send(Sql sql, boolean events, Set<String> messages) throws SQLException {
        List<@Nullable Object[]> notices = new ArrayList<>();
        if (events) {
            notices.add(new Object[]{notice(EVENTS)});
        }
        messages.forEach(message -> notices.add(new Object[]{notice(message)}));
        sql.queryEach("WITH n (notice) AS (VALUES $rows) SELECT pg_notify(?, notice) FROM n", _ -> name, notices, name);
    }

    private String notice(String message) {
        return sender + " " + message;
    }

    /** What a notice says; empty if it is our own. */
    Optional<String> message(String notice) {
        int end = notice.indexOf(' ');
        return end < 0 || notice.substring(0, end).equals(sender)
                ? Optional.empty()
                : Optional.of(notice.substring(end + 1));
    }
}
