package io.entrepot.posix;

import io.entrepot.posix.internal.DeviceNumber;
import io.entrepot.posix.internal.Escapes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The kernel's list of mounts, as it was at one moment. Immutable. */
public final class MountPoints {
    private static final Path TABLE = Path.of("/proc/self/mountinfo");

    private final List<Mount> mounts;

    private MountPoints(List<Mount> mounts) {
        this.mounts = List.copyOf(mounts);
    }

    /** Reads the list; Linux only. Touches none of the mounts. */
    public static MountPoints read() throws IOException {
        return parse(Files.readAllBytes(TABLE));
    }

    /** Lines that are no mounts, and mounts that cannot be reached from our root, are left out. */
    public static MountPoints parse(byte[] mountinfo) {
        List<Mount> mounts = new ArrayList<>();
        // One character for each byte: mount points need not be text.
        new String(mountinfo, StandardCharsets.ISO_8859_1).lines().forEach(line -> line(line).ifPresent(mounts::add));
        return new MountPoints(mounts);
    }

    /** In the order of the list: a mount that hides another one comes after it. */
    public List<Mount> all() {
        return mounts;
    }

    public Optional<Mount> byId(long id) {
        return mounts.stream().filter(mount -> mount.id() == id).findFirst();
    }

    /** The mount that an absolute path without symbolic links is on: the innermost, and the last one of those. */
    public Optional<Mount> of(BytePath path) {
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException(path + " is relative: it is on whatever mount it is resolved on");
        }
        Mount found = null;
        for (Mount mount : mounts) {
            if (path.startsWith(mount.point()) && (found == null || mount.point().length() >= found.point().length())) {
                found = mount;
            }
        }
        return Optional.ofNullable(found);
    }

    /** {@code 36 35 98:0 /root /point rw,noatime shared:1 - ext4 /dev/loop0 rw}; the fields before the dash vary. */
    private static Optional<Mount> line(String line) {
        int dash = line.indexOf(" - ");
        String[] before = line.substring(0, Math.max(dash, 0)).split(" ", -1);
        String[] after = line.substring(Math.max(dash, 0)).split(" ", -1);
        if (before.length < 5 || after.length < 4 || !before[4].startsWith("/")) {
            return Optional.empty();
        }
        try {
            String[] device = before[2].split(":", 2);
            return Optional.of(new Mount(Long.parseLong(before[0]), BytePath.of(unescape(before[4])), after[2],
                    Escapes.escape(unescape(after[3])), DeviceNumber.of(Integer.parseInt(device[0]),
                            Integer.parseInt(device[1]))));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    /** The kernel writes blanks, newlines, backslashes and hashes as three octal digits. */
    private static byte[] unescape(String field) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(field.length());
        for (int i = 0; i < field.length(); i++) {
            if (field.charAt(i) == '\\' && i + 4 <= field.length()) {
                bytes.write(Integer.parseInt(field, i + 1, i + 4, 8));
                i += 3;
            } else {
                bytes.write(field.charAt(i));
            }
        }
        return bytes.toByteArray();
    }
}
