package io.entrepot.pool.internal;

import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What a stored file carries, to know it again if the database is lost. Tenant and key are in its path.
 *
 * <p>As small as can be: ext4 keeps about 60 bytes of it within the inode, and takes a block of its own for more.
 *
 * @param labels as in the row, see {@link LabelText}
 */
record Description(long size, Sha256 sha, long created, int priority, Optional<String> name,
        LogicalDirectory directory, String labels, Optional<String> source) {
    private static final int VERSION = 1;

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            number(out, size);
            out.write(sha.bytes());
            number(out, created);
            out.writeShort(priority);
            text(out, name.orElse(""));
            text(out, directory.path());
            text(out, labels);
            text(out, source.orElse(""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Nothing if it is not ours, or of a later version. */
    static Optional<Description> decode(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (in.readByte() != VERSION) {
                return Optional.empty();
            }
            return Optional.of(new Description(number(in), new Sha256(in.readNBytes(Sha256.LENGTH)), number(in),
                    in.readShort(), Optional.of(text(in)).filter(name -> !name.isEmpty()),
                    new LogicalDirectory(text(in)), text(in),
                    Optional.of(text(in)).filter(source -> !source.isEmpty())));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
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
