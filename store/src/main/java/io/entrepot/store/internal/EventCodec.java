package io.entrepot.store.internal;

import io.entrepot.store.Event;
import io.entrepot.store.Owner;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The events of a group commit as one value: for each its owner, type, subject and body, length before text. One row
 * for a hundred events costs little more than one row for one.
 */
public final class EventCodec {
    /** An event says what happened; it does not carry the thing itself. */
    private static final int LARGEST = 4 << 20;
    /** A group with more than this makes several rows, so that a reader need not take it all at once. */
    private static final int ROW = 256 << 10;

    private EventCodec() {}

    public static byte[] encode(Owner owner, String type, String subject, String body) {
        byte[][] texts = {utf8(owner.name()), utf8(type), utf8(subject), utf8(body)};
        long size = 0;
        for (byte[] text : texts) {
            size += Integer.BYTES + text.length;
        }
        if (size > LARGEST) {
            throw new IllegalArgumentException("an event of " + size + " bytes, " + LARGEST + " are allowed: " + type);
        }
        ByteBuffer entry = ByteBuffer.allocate((int) size);
        for (byte[] text : texts) {
            entry.putInt(text.length).put(text);
        }
        return entry.array();
    }

    /** How entries are spread over rows: in order, at least one in each. */
    public static List<List<byte[]>> rows(List<byte[]> entries) {
        List<List<byte[]>> rows = new ArrayList<>();
        int from = 0;
        long size = 0;
        for (int i = 0; i < entries.size(); i++) {
            size += entries.get(i).length;
            if (size > ROW && i > from) {
                rows.add(entries.subList(from, i));
                from = i;
                size = entries.get(i).length;
            }
        }
        if (from < entries.size()) {
            rows.add(entries.subList(from, entries.size()));
        }
        return rows;
    }

    public static byte[] pack(List<byte[]> entries) {
        ByteBuffer packed = ByteBuffer.allocate(entries.stream().mapToInt(entry -> entry.length).sum());
        entries.forEach(packed::put);
        return packed.array();
    }

    /** {@link IllegalArgumentException} if that is not what {@link #pack} makes. */
    public static List<Event> unpack(long first, int n, long at, byte[] packed) {
        ByteBuffer in = ByteBuffer.wrap(packed);
        Instant time = Instant.ofEpochMilli(at);
        List<Event> events = new ArrayList<>();
        try {
            for (int i = 0; i < n; i++) {
                events.add(new Event(first + i, time, new Owner(text(in)), text(in), text(in), text(in)));
            }
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("the events from " + first + " on are cut off", e);
        }
        if (n < 1 || in.hasRemaining()) {
            throw new IllegalArgumentException("there are more or fewer events from " + first + " on than " + n);
        }
        return events;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] utf8 = new byte[length];
        in.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
