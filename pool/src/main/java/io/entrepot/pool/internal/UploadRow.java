package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.UploadId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An upload's row.
 *
 * @param incoming what the volume calls the bytes; empty before the first piece
 * @param size     so much is durable
 * @param writer   who is just adding a piece, where several processes may; 0 for nobody
 * @param said     what was said of the file, but for its directory
 * @param plan     which file it becomes, once it is being finished
 */
record UploadRow(long tenant, UploadId id, State state, long volume, String incoming, long size, OptionalLong expected,
        long directory, long begun, long expires, long writer, NewFile said, Optional<Plan> plan) {
    static final String COLUMNS = "u.tenant, u.id, u.state, u.volume, u.incoming, u.size, u.expected, u.directory,"
            + " u.begun, u.expires, u.writer, u.name, u.priority, u.available, u.idempotency, u.labels, u.source,"
            + " u.number, u.nonce, u.sha, u.created, u.modified";

    /** In the order of their codes. */
    enum State {
        OPEN,
        /** It became a file. */
        STORED,
        /** There was a file of its idempotency key already. */
        REPEATED;

        static State of(int code) {
            return values()[code];
        }

        @SuppressWarnings("EnumOrdinal") // that is what the order is for
        int code() {
            return ordinal();
        }
    }

    /** Fixed before the bytes get their name, so that finishing can be taken up again after a crash. */
    record Plan(FileKey key, Sha256 sha, long created) {}

    static UploadRow read(ResultSet row) throws SQLException {
        OptionalLong expected = FileRow.optional(row, 7);
        NewFile said = new NewFile(Optional.ofNullable(row.getString(12)), "/", row.getInt(13),
                time(row, 14),
                Optional.ofNullable(row.getString(15)), LabelText.parse(row.getString(16)).all(), expected,
                Optional.ofNullable(row.getString(17)), time(row, 22));
        OptionalLong number = FileRow.optional(row, 18);
        Optional<Plan> plan = number.isEmpty()
                ? Optional.empty()
                : Optional.of(new Plan(new FileKey(number.getAsLong(), row.getLong(19)),
                        new Sha256(row.getBytes(20)), row.getLong(21)));
        return new UploadRow(row.getLong(1), new UploadId(row.getString(2)), State.of(row.getInt(3)), row.getLong(4),
                row.getString(5), row.getLong(6), expected, row.getLong(8), row.getLong(9), row.getLong(10),
                row.getLong(11), said, plan);
    }

    private static Optional<Instant> time(ResultSet row, int column) throws SQLException {
        OptionalLong millis = FileRow.optional(row, column);
        return millis.isPresent() ? Optional.of(Instant.ofEpochMilli(millis.getAsLong())) : Optional.empty();
    }

    /** What it counts for, as long as it is open. */
    long reserved() {
        return Math.max(size, expected.orElse(0));
    }

    NewFile file(LogicalDirectory path) {
        return said.in(path.path());
    }

    /** The row of the file that it is to become. */
    FileRow file(Plan planned, int depth, CheckedFile checked) {
        return new FileRow(tenant, planned.key, directory, volume, depth, checked.extension(), checked.name(), size,
                planned.sha, planned.created, checked.modified(), said.priority(), false,
                LabelText.of(checked.labels()), said.source(),
                "");
    }

    UploadRow with(Plan planned) {
        return new UploadRow(tenant, id, state, volume, incoming, size, expected, directory, begun, expires, writer,
                said, Optional.of(planned));
    }

    UploadRow takenBy(long newWriter) {
        return new UploadRow(tenant, id, state, volume, incoming, size, expected, directory, begun, expires, newWriter,
                said, plan);
    }

    /** More of it is durable, under that name. */
    UploadRow at(String newIncoming, long newSize) {
        return new UploadRow(tenant, id, state, volume, newIncoming, newSize, expected, directory, begun, expires,
                writer, said, plan);
    }
}
