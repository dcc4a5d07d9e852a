package io.entrepot.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A disk for one run: a journaled ext4 of its own where that is possible (root, mkfs.ext4, loop devices), else a plain
 * directory and a note that every report carries. Figures and crash tests on the file system that happens to be there
 * would depend on its history and on whether it has a journal at all.
 *
 * <p>Gone when closed, at exit at the latest; what a killed run left is taken away by the next one in the same place.
 * Safe for use by many threads; close it when nobody uses its files any more.
 */
public final class LabDisk implements AutoCloseable {

    private final LabDirectory directory;
    private final DiskOptions options;
    private final Path root;
    private final Optional<LoopImage> image;
    private final Optional<String> note;

    private LabDisk(LabDirectory directory, DiskOptions options, Path root, Optional<LoopImage> image,
            Optional<String> note) {
        this.directory = directory;
        this.options = options;
        this.root = root;
        this.image = image;
        this.note = note;
    }

    /** Makes an empty disk. */
    public static LabDisk create(DiskOptions options) throws IOException {
        Optional<String> obstacle = LoopImage.obstacle();
        if (obstacle.isEmpty()) {
            return create(options, image -> LoopImage.format(image, options));
        }
        LabDirectory directory = LabDirectory.create(options.place());
        Path plain = Files.createDirectory(directory.path().resolve("plain"));
        return new LabDisk(directory, options, plain, Optional.empty(),
                Optional.of("plain directory instead of a journaled loop file system: " + obstacle.get()));
    }

    /** Where the contents of a new image come from. */
    @FunctionalInterface
    interface Contents {
        void putInto(Path image) throws IOException;
    }

    static LabDisk create(DiskOptions options, Contents contents) throws IOException {
        LabDirectory directory = LabDirectory.create(options.place());
        try {
            Path file = directory.path().resolve("disk.img");
            contents.putInto(file);
            LoopImage image = LoopImage.mount(directory, file, options.commitSeconds());
            return new LabDisk(directory, options, image.mountPoint(), Optional.of(image), Optional.empty());
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    /** Why there can be no file systems of our own here; empty if there can. */
    public static Optional<String> obstacle() {
        return LoopImage.obstacle();
    }

    /** Where to put files. */
    public Path root() {
        return root;
    }

    /** What a report must say about this disk; empty if it is a file system of its own. */
    public Optional<String> note() {
        return note;
    }

    /** From now on it can be read only, or be written again. Fails while a file of it is open for writing. */
    public void setReadOnly(boolean readOnly) throws IOException {
        image.orElseThrow(() -> new IOException("a plain directory cannot be made read-only")).setReadOnly(readOnly);
    }

    DiskOptions options() {
        return options;
    }

    Optional<LoopImage> image() {
        return image;
    }

    @Override
    public void close() throws IOException {
        directory.close();
    }
}
