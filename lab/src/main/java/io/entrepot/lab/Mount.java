package io.entrepot.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One line of the kernel's list of mounts. */
record Mount(Path point, String type, String source) {

    private static final Path TABLE = Path.of("/proc/self/mountinfo");

    static Optional<Mount> at(Path point) throws IOException {
        return all().stream().filter(mount -> mount.point().equals(point)).reduce((first, second) -> second);
    }

    /** Mounts inside a directory, in the order in which they can be undone: the last one first. */
    static List<Mount> under(Path directory) throws IOException {
        return all().stream().filter(mount -> mount.point().startsWith(directory)).toList().reversed();
    }

    private static List<Mount> all() throws IOException {
        List<Mount> mounts = new ArrayList<>();
        if (!Files.exists(TABLE)) {
            return mounts;
        }
        // Bytes as Latin-1: a foreign mount point need not be valid UTF-8.
        for (String line : Files.readString(TABLE, StandardCharsets.ISO_8859_1).split("\n", -1)) {
            parse(line).ifPresent(mounts::add);
        }
        return mounts;
    }

    /** {@code 36 35 98:0 /root /point rw,noatime shared:1 - ext4 /dev/loop0 rw}: the number of fields before the dash varies. */
    static Optional<Mount> parse(String line) {
        int dash = line.indexOf(" - ");
        if (dash < 0) {
            return Optional.empty();
        }
        String[] before = line.substring(0, dash).split(" ", -1);
        String[] after = line.substring(dash + 3).split(" ", -1);
        if (before.length < 5 || after.length < 2) {
            return Optional.empty();
        }
        return Optional.of(new Mount(Path.of(unescape(before[4])), after[0], after[1]));
    }

    /** The kernel writes blanks in names as octal. */
    private static String unescape(String name) {
        return name.replace("\\040", " ").replace("\\011", "\t").replace("\\012", "\n").replace("\\134", "\\");
    }
}
