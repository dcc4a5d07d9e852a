package io.entrepot.store.internal;

import io.entrepot.store.Event;
import io.entrepot.store.Owner;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The events of one group commit as one value: for each its owner, type, subject and body, length before text. */
public final class EventCodec {

    private EventCodec() {}

    /** An event before it has a number. */
    public record Draft(Owner owner, String type, String subject, String body) {}

    public static byte[] pack(List<Draft> drafts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            for (Draft draft : drafts) {
                text(out, draft.owner().name());
                text(out, draft.type());
                text(out, draft.subject());
                text(out, draft.body());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    public static List<Event> unpack(long first, int n, long at, byte[] entries) {
        List<Event> events = new ArrayList<>(n);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(entries))) {
            for (int i = 0; i < n; i++) {
                events.add(new Event(first + i, Instant.ofEpochMilli(at), new Owner(text(in)), text(in), text(in),
                        text(in)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return events;
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }
}
