package io.entrepot.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A disk whose sync calls fail when told so. Writing works, as it goes to the page cache; then {@code fsync} reports an
 * error; and the <em>next</em> {@code fsync} of the same file reports success although the data is lost, because the
 * kernel reports an error once and forgets the pages. A program that tries again believes a lie: that is what this disk
 * is for.
 *
 * <p>It is an ext4 in a sparse image on a tmpfs of its own. When the tmpfs is full, the image cannot take a block that was
 * not written before, and the device reports an error for it. Blocks written earlier can be overwritten still, so a
 * failure is sure only for files that grow.
 *
 * <p>Use from one thread at a time; its files may be used by many.
 */
public final class FailingDisk implements AutoCloseable {

    private static final DiskOptions OPTIONS = DiskOptions.forCuts();

    private final LabDirectory directory;
    private LoopImage image;
    private final Ballast ballast;

    private FailingDisk(LabDirectory directory, LoopImage image, Ballast ballast) {
        this.directory = directory;
        this.image = image;
        this.ballast = ballast;
    }

    /** What fails. */
    public enum Failure {
        /** Only data: the file system lives on, and later syncs succeed. */
        DATA,
        /** The journal as well: the first change that needs it makes the file system stop, with I/O errors from then on. */
        JOURNAL
    }

    /** Sound at first. Needs what {@link LabDisk#obstacle} speaks of. */
    public static FailingDisk create(Failure failure) throws IOException {
        if (LabDisk.obstacle().isPresent()) {
            throw new IOException("a failing disk needs a file system of its own: " + LabDisk.obstacle().get());
        }
        LabDirectory directory = LabDirectory.create(OPTIONS.place());
        try {
            Path backing = Files.createDirectory(directory.path().resolve("backing"));
            Command.check("mount", "-t", "tmpfs", "-o", "size=" + OPTIONS.bytes(), "tmpfs", backing.toString());
            Path file = backing.resolve("disk.img");
            LoopImage.format(file, OPTIONS);
            if (failure == Failure.DATA) {
                LoopImage.reserveJournal(file);
            }
            LoopImage image = LoopImage.mount(directory, file, OPTIONS.commitSeconds());
            image.limitRequests();
            return new FailingDisk(directory, image, new Ballast(backing.resolve("ballast")));
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    public Path root() {
        return image.mountPoint();
    }

    /** From now on what needs a new block fails when it is synced. */
    public void startFailing() throws IOException {
        ballast.fill(0);
    }

    /** From now on everything works again; what failed meanwhile is lost. */
    public void stopFailing() throws IOException {
        ballast.remove();
    }

    /** As after a restart of the machine: what is only in memory is gone. No file of it may be open. */
    public void remount() throws IOException {
        image.unlimitRequests();
        image = image.again(directory, OPTIONS.commitSeconds());
    }

    @Override
    public void close() throws IOException {
        if (Files.exists(image.mountPoint())) {
            image.unlimitRequests();
        }
        directory.close();
    }
}
