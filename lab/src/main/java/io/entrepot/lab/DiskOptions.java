package io.entrepot.lab;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What kind of disk.
 *
 * @param place directory in which the image is put: on a real disk for measurements, on tmpfs for power cuts
 * @param bytes size of the file system; the image is sparse, so only what is written costs space
 * @param journalMebibytes a small journal makes images quick to make and to copy; a large one is what real disks have
 * @param commitSeconds how long ext4 may keep metadata that nobody synced; long for power cuts, so that only syncs count
 */
public record DiskOptions(Path place, long bytes, int journalMebibytes, int commitSeconds) {

    private static final long MEBIBYTE = 1 << 20;

    public DiskOptions {
        if (bytes < 8 * MEBIBYTE) {
            throw new IllegalArgumentException("a disk of " + bytes + " bytes is too small for a journal");
        }
        if (journalMebibytes < 4 || journalMebibytes * MEBIBYTE > bytes / 2) {
            throw new IllegalArgumentException(
                    "a journal of " + journalMebibytes + " MiB does not fit a disk of " + bytes + " bytes");
        }
    }

    /** As real disks are: ext4's own commit interval and a journal that does not fill up at once. */
    public static DiskOptions forMeasuring(Path place, long bytes) {
        return new DiskOptions(place, bytes, 64, 5);
    }

    /** Small, in memory, and with nothing written back that was not synced: for {@link PowerCut}. */
    public static DiskOptions forCuts() {
        return new DiskOptions(memory(), 96 * MEBIBYTE, 4, 300);
    }

    /** A directory in memory if there is one, else the temporary directory. */
    public static Path memory() {
        Path shared = Path.of("/dev/shm");
        return Files.isWritable(shared) ? shared : Path.of(System.getProperty("java.io.tmpdir"));
    }

    public DiskOptions sized(long newBytes) {
        return new DiskOptions(place, newBytes, journalMebibytes, commitSeconds);
    }

    public DiskOptions placed(Path newPlace) {
        return new DiskOptions(newPlace, bytes, journalMebibytes, commitSeconds);
    }
}
