package io.entrepot.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An ordinary small file system that is full when told so: writes that need space fail with "No space left on device",
 * for root too. Use from one thread at a time; its files may be used by many.
 */
public final class FullDisk implements AutoCloseable {

    private final LabDisk disk;
    private final Path root;
    private final Ballast ballast;

    private FullDisk(LabDisk disk) throws IOException {
        this.disk = disk;
        this.root = Files.createDirectory(disk.root().resolve("data"));
        this.ballast = new Ballast(disk.root().resolve("ballast"));
    }

    /** With plenty of space at first. Needs what {@link LabDisk#obstacle} speaks of. */
    public static FullDisk create(long bytes) throws IOException {
        LabDisk disk = LabDisk.create(DiskOptions.forCuts().sized(bytes));
        if (disk.image().isEmpty()) {
            disk.close();
            throw new IOException("a full disk needs a file system of its own: " + disk.note().orElse(""));
        }
        return new FullDisk(disk);
    }

    public Path root() {
        return root;
    }

    /** From now on there is room for so many bytes and no more. */
    public void fill(long leave) throws IOException {
        ballast.fill(leave);
    }

    /** As after somebody cleaned up. */
    public void free() throws IOException {
        ballast.remove();
    }

    @Override
    public void close() throws IOException {
        disk.close();
    }
}
