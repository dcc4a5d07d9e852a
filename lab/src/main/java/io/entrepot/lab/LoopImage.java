package io.entrepot.lab;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A journaled ext4 in a file, mounted through a loop device. Honest about durability: barriers are on, and ext4's
 * kindness to programs that rename without syncing ({@code auto_da_alloc}) is off, so what was not synced is not there
 * after a {@link PowerCut}. The device goes with the mount. Immutable.
 */
record LoopImage(Path file, Path mountPoint, String device) {

    private static final int BLOCK = 4096;
    private static final int ATTEMPTS = 5;

    /** Found out once, by trying: being root is not enough inside some containers. */
    private static final class Trial {
        static final Optional<String> OBSTACLE = attempt();

        private static Optional<String> attempt() {
            if (!Files.exists(Path.of("/dev/loop-control"))) {
                return Optional.of("there are no loop devices");
            }
            DiskOptions options = DiskOptions.forCuts().sized(16 << 20);
            try (LabDirectory directory = LabDirectory.create(options.place())) {
                Path file = directory.path().resolve("trial.img");
                format(file, options);
                mount(directory, file, options.commitSeconds());
                return Optional.empty();
            } catch (IOException e) {
                return Optional.of("a loop file system cannot be mounted (" + e.getMessage() + ")");
            }
        }
    }

    /** Why there can be no loop images here; empty if there can. */
    static Optional<String> obstacle() {
        return Trial.OBSTACLE;
    }

    static void format(Path file, DiskOptions options) throws IOException {
        try (RandomAccessFile image = new RandomAccessFile(file.toFile(), "rw")) {
            image.setLength(options.bytes());
        }
        // Nothing is left to be initialised lazily: a kernel thread writing zeros would spoil measurements and cuts.
        Command.check("mkfs.ext4", "-q", "-F", "-b", Integer.toString(BLOCK), "-m", "0", "-J",
                "size=" + options.journalMebibytes(),
                "-E", "lazy_itable_init=0,lazy_journal_init=0,nodiscard", file.toString());
    }

    /** Gives the journal's blocks real space in the sparse image, so that it can be written even when nothing else can. */
    static void reserveJournal(Path file) throws IOException {
        String blocks = Command.check("debugfs", "-R", "blocks <8>", file.toString());
        byte[] content = new byte[BLOCK];
        try (RandomAccessFile image = new RandomAccessFile(file.toFile(), "rw")) {
            // After a line of greeting. Writing a hole's zeros back is what fills it.
            for (String block : blocks.substring(blocks.indexOf('\n') + 1).strip().split("\\s+", -1)) {
                image.seek(Long.parseLong(block) * BLOCK);
                image.readFully(content);
                image.seek(Long.parseLong(block) * BLOCK);
                image.write(content);
            }
        }
    }

    static LoopImage mount(LabDirectory directory, Path file, int commitSeconds) throws IOException {
        Path point = Files.createDirectories(directory.path().resolve("mnt"));
        String how = "loop,barrier=1,data=ordered,noauto_da_alloc,errors=continue,commit=" + commitSeconds;
        Command.Outcome outcome = new Command.Outcome(-1, "");
        for (int attempt = 0; attempt < ATTEMPTS && !outcome.ok(); attempt++) {
            // Two processes may reach for the same free loop device; the loser tries again.
            outcome = Command.run("mount", "-t", "ext4", "-o", how, file.toString(), point.toString());
        }
        String why = outcome.output();
        LoopImage image = Mount.at(point)
                .map(mount -> new LoopImage(file, point, mount.source()))
                .orElseThrow(() -> new IOException("mounting " + file + ": " + why));
        image.unlimitRequests(); // a killed run may have left a limit
        return image;
    }

    /** Taken down and mounted again, so that nothing in memory hides what is not on the disk. Nobody may use it. */
    LoopImage again(LabDirectory directory, int commitSeconds) throws IOException {
        Command.check("umount", mountPoint.toString());
        return mount(directory, file, commitSeconds);
    }

    void setReadOnly(boolean readOnly) throws IOException {
        Command.check("mount", "-o", "remount," + (readOnly ? "ro" : "rw"), mountPoint.toString());
    }

    /**
     * Lets the device take requests of one block only. The kernel's loop driver calls a request done of which its backing
     * file could take only the first part, so that without this a disk out of space would lose data in silence.
     */
    void limitRequests() throws IOException {
        Files.writeString(about("queue/max_sectors_kb"), Integer.toString(BLOCK / 1024));
    }

    /** Takes the limit away. It stays with the device, not with the image, and so would meet the device's next user. */
    void unlimitRequests() throws IOException {
        Files.writeString(about("queue/max_sectors_kb"), Files.readString(about("queue/max_hw_sectors_kb")));
    }

    /** What the device has been asked to do so far. */
    Traffic traffic() throws IOException {
        return Traffic.parse(Files.readString(about("stat")));
    }

    private Path about(String what) {
        return Path.of("/sys/block", Path.of(device).getFileName().toString(), what);
    }

    /** Counters of a block device. Idle, and equal before and after a copy: the copy is of one moment. */
    record Traffic(long writes, long sectors, long discards, long flushes, long underWay) {

        static Traffic parse(String stat) {
            String[] fields = stat.strip().split("\\s+", -1);
            return new Traffic(Long.parseLong(fields[4]), Long.parseLong(fields[6]), Long.parseLong(fields[11]),
                    Long.parseLong(fields[15]), Long.parseLong(fields[8]));
        }

        boolean idle() {
            return underWay == 0;
        }
    }
}
