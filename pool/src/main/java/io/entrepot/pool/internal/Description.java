package io.entrepot.pool.internal;

import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a stored file carries, to know it again if the database is lost. Tenant, key and extension are in its path.
 *
 * <p>As small as can be: ext4 keeps 64 bytes of it within the inode, and takes a block of its own for more, which doubles what is
 * written of a small file. So what has its usual value is not said, nor what is said twice: the end of a name that the path has as
 * well, and the place of an import's source that is the file's directory and name.
 * When its source was last changed is said by how long that was before the file came: two bytes for 16 seconds, three for half an
 * hour, four for three days. To have room for them, the form that has it is shorter in other ways.
 *
 * @param labels as in the row, see {@link LabelText}
 */
record Description(long size, Sha256 sha, long created, OptionalLong modified, int priority,
        Optional<String> name, LogicalDirectory directory, String labels, Optional<String> source) {
    /** The first form, which says everything in full, was a byte of this and is still read. */
    private static final int IN_FULL = 1;
    /** The second form is a byte of this with what follows. */
    private static final int IN_SHORT = 0x80;
    private static final int PRIORITY = 1;
    private static final int LABELS = 2;
    private static final int EXTENSION = 4;
    private static final int SOURCE = 8;
    private static final int WATCHED = 16;
    private static final int ALL = IN_SHORT | PRIORITY | LABELS | EXTENSION | SOURCE | WATCHED;
    /** The third form, which says when its source was last changed, is a byte of this with what follows of the second's. */
    private static final int IN_TIME = 0x40;
    /** And with this if the times are none as usual: then they are said in full. */
    private static final int UNUSUAL = 0x20;
    /** Times as usual are near to 2026: in {@link #USUAL_BYTES}, that is 17 years to both sides. */
    private static final long USUAL = 1_767_225_600_000L;
    private static final int USUAL_BYTES = 5;
    private static final String WATCH = "watch ";

    /** @param extension of the path it is stored at */
    byte[] encode(String extension) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
        String called = name.orElse("");
        boolean ending = !extension.isEmpty() && called.endsWith(extension);
        Optional<String> watched = watched();
        Optional<String> origin = watched.or(() -> source.filter(text -> !text.isEmpty()));
        String stem = ending ? called.substring(0, called.length() - extension.length()) : called;
        int said = (priority == 0 ? 0 : PRIORITY) | (labels.isEmpty() ? 0 : LABELS) | (ending ? EXTENSION : 0)
                | (origin.isEmpty() ? 0 : watched.isPresent() ? WATCHED : SOURCE);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            if (modified.isPresent()) {
                inTime(out, said, stem);
            } else {
                inShort(out, said, stem);
            }
            out.write(origin.orElse("").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private void inShort(DataOutputStream out, int said, String stem) throws IOException {
        out.writeByte(IN_SHORT | said);
        number(out, size);
        out.write(sha.bytes());
        number(out, created);
        if (priority != 0) {
            out.writeShort(priority);
        }
        text(out, stem);
        text(out, folder());
        if (!labels.isEmpty()) {
            text(out, labels);
        }
    }

    /** The place ends where the bytes do if nothing comes after it. */
    private void inTime(DataOutputStream out, int said, String stem) throws IOException {
        long at = modified.orElseThrow();
        boolean usual = isUsual(at);
        out.writeByte(IN_TIME | (usual ? 0 : UNUSUAL) | said);
        number(out, size);
        out.write(sha.bytes());
        if (usual) {
            out.write(ByteBuffer.allocate(Long.BYTES).putLong(created - USUAL).array(), Long.BYTES - USUAL_BYTES,
                    USUAL_BYTES);
            number(out, created - at);
        } else {
            out.writeLong(created);
            out.writeLong(at);
        }
        if (priority != 0) {
            out.writeShort(priority);
        }
        if (!labels.isEmpty()) {
            text(out, labels);
        }
        String place = folder().isEmpty() ? stem : folder() + "/" + stem;
        if ((said & (SOURCE | WATCHED)) == 0) {
            out.write(place.getBytes(StandardCharsets.UTF_8));
        } else {
            text(out, place);
        }
    }

    private boolean isUsual(long at) {
        long half = 1L << (USUAL_BYTES * Byte.SIZE - 1);
        return created >= USUAL - half && created < USUAL + half && created - at >= 0 && created >= at;
    }

    private String folder() {
        return directory.equals(LogicalDirectory.ROOT) ? "" : directory.path();
    }

    /**
     * Nothing if it is not ours, or of a later version.
     *
     * @param extension of the path it was found at
     */
    static Optional<Description> decode(byte[] bytes, String extension) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int form = in.readUnsignedByte();
            if (form == IN_FULL) {
                return Optional.of(inFull(in));
            }
            if ((form & IN_SHORT) == 0) {
                return (form & IN_TIME) == 0 ? Optional.empty() : Optional.of(inTime(in, form, extension));
            }
            return (form & ~ALL) == 0 ? Optional.of(inShort(in, form, extension)) : Optional.empty();
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static Description inFull(DataInputStream in) throws IOException {
        return new Description(number(in), new Sha256(in.readNBytes(Sha256.LENGTH)), number(in),
                OptionalLong.empty(), in.readShort(), unlessEmpty(text(in)), new LogicalDirectory(text(in)), text(in),
                unlessEmpty(text(in)));
    }

    private static Description inShort(DataInputStream in, int form, String extension) throws IOException {
        long size = number(in);
        Sha256 sha = new Sha256(in.readNBytes(Sha256.LENGTH));
        long created = number(in);
        int priority = (form & PRIORITY) == 0 ? 0 : in.readShort();
        Optional<String> name = unlessEmpty(text(in) + ((form & EXTENSION) == 0 ? "" : extension));
        LogicalDirectory directory = LogicalDirectory.of(text(in));
        String labels = (form & LABELS) == 0 ? "" : text(in);
        return new Description(size, sha, created, OptionalLong.empty(), priority, name, directory, labels,
                Optional.empty()).comingFrom(form, rest(in));
    }

    private static Description inTime(DataInputStream in, int form, String extension) throws IOException {
        long size = number(in);
        Sha256 sha = new Sha256(in.readNBytes(Sha256.LENGTH));
        boolean usual = (form & UNUSUAL) == 0;
        long created = usual
                ? USUAL + (((long) in.readByte() << Integer.SIZE) | Integer.toUnsignedLong(in.readInt()))
                : in.readLong();
        long modified = usual ? created - number(in) : in.readLong();
        int priority = (form & PRIORITY) == 0 ? 0 : in.readShort();
        String labels = (form & LABELS) == 0 ? "" : text(in);
        String place = (form & (SOURCE | WATCHED)) == 0 ? rest(in) : text(in);
        int slash = place.lastIndexOf('/');
        Optional<String> name = unlessEmpty(
                place.substring(slash + 1) + ((form & EXTENSION) == 0 ? "" : extension));
        return new Description(size, sha, created, OptionalLong.of(modified), priority, name,
                LogicalDirectory.of(slash < 0 ? "" : place.substring(0, slash)), labels, Optional.empty())
                .comingFrom(form, rest(in));
    }

    private static String rest(DataInputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    private Description comingFrom(int form, String rest) {
        return switch (form & (SOURCE | WATCHED)) {
            case SOURCE -> from(rest);
            case WATCHED -> from(source(rest));
            default -> this;
        };
    }

    private Description from(String origin) {
        return new Description(size, sha, created, modified, priority, name, directory, labels,
                Optional.of(origin));
    }

    private static Optional<String> unlessEmpty(String text) {
        return Optional.of(text).filter(it -> !it.isEmpty());
    }

    /** What there is to say of a source {@code watch ID: PATH} beside the file's place: its watcher, and where below it the place is. */
    private Optional<String> watched() {
        String place = place();
        return source.filter(text -> text.startsWith(WATCH) && text.endsWith(place))
                .map(text -> text.substring(WATCH.length(), text.length() - place.length()).replaceFirst(": ", ":"))
                .map(text -> text.endsWith(":") ? text.substring(0, text.length() - 1) : text)
                .filter(text -> !text.isEmpty() && source(text).equals(source.orElse("")));
    }

    private String source(String watched) {
        int colon = watched.indexOf(':');
        return colon < 0
                ? WATCH + watched + ": " + place()
                : WATCH + watched.substring(0, colon) + ": " + watched.substring(colon + 1) + place();
    }

    private String place() {
        return (folder().isEmpty() ? "" : folder() + "/") + name.orElse("");
    }

    private static void number(DataOutputStream out, long value) throws IOException {
        long left = value;
        while ((left & ~0x7FL) != 0) {
            out.writeByte((int) (left & 0x7F) | 0x80);
            left >>>= 7;
        }
        out.writeByte((int) left);
    }

    private static long number(DataInputStream in) throws IOException {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = in.readByte();
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IOException("a number without an end");
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        number(out, bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        int length = Math.toIntExact(number(in));
        byte[] bytes = in.readNBytes(length);
        if (bytes.length != length) {
            throw new IOException("a text without an end");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
