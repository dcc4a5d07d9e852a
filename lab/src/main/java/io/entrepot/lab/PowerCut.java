package io.entrepot.lab;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/**
 * A power cut: what would be on the platters if the machine lost power now.
 *
 * <p>The image of a {@link LabDisk} in memory holds exactly what ext4 has handed to the device. What programs wrote
 * without syncing is still in the page cache above it. So a copy of the image, mounted (which replays its journal), is
 * the disk after the cut; the page cache stays behind with the old disk.
 *
 * <p>The copy takes some milliseconds, in which nothing may be written, or it would mix moments in an order that no disk
 * produces. The caller stops or kills the writers first ({@link ChildJvm#stop} waits for system calls under way); the
 * kernel's own late writes are noticed by the device's counters, and the copy is made again.
 */
public final class PowerCut {

    private static final int ATTEMPTS = 200;

    private PowerCut() {}

    /** The disk as it is after the cut, mounted. The old one is left to the caller, who closes it. */
    public static LabDisk of(LabDisk disk) throws IOException {
        LoopImage image = disk.image()
                .orElseThrow(() -> new IOException("a power cut needs a loop file system: " + disk.note().orElse("")));
        return LabDisk.create(disk.options(), file -> copy(image, file.toString()));
    }

    private static void copy(LoopImage image, String to) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            LoopImage.Traffic before = image.traffic();
            if (!before.idle()) {
                LockSupport.parkNanos(100_000);
                continue;
            }
            Command.check("cp", "--sparse=always", "--reflink=auto", image.file().toString(), to);
            if (image.traffic().equals(before)) {
                return;
            }
        }
        throw new IOException("the disk is still being written; stop the writers before cutting the power");
    }
}
