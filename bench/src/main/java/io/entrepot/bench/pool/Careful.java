package io.entrepot.bench.pool;

import io.entrepot.queue.NewItem;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.Queues;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a careful programmer would write: the file is written under another name and synced, renamed, its directory synced; then
 * a row for it goes into the same store with the same group commit. No checksum, no quota, no description with the file.
 */
final class Careful implements AutoCloseable {
    private static final QueueName QUEUE = QueueName.of("bench", "files");
    private static final int FILES_PER_DIRECTORY = 256;

    private final Path directory;
    private final DataDirectory data;
    private final Queues queues;
    private final AtomicInteger numbers = new AtomicInteger();

    private Careful(Path directory, DataDirectory data, Queues queues) {
        this.directory = directory;
        this.data = data;
        this.queues = queues;
    }

    static Careful open(Path parent) throws IOException {
        Path directory = Files.createTempDirectory(parent, "careful");
        StoreConfig config = StoreConfig.of(Queues.SCHEMA);
        DataDirectory data = DataDirectory.open(directory.resolve("data"), config);
        return new Careful(directory, data, Queues.open(data, config, QueueConfig.DEFAULT));
    }

    void write(byte[] content) throws IOException {
        Path place = place(files(), numbers.getAndIncrement());
        create(place, content, true);
        try (FileChannel names = FileChannel.open(place.getParent(), StandardOpenOption.READ)) {
            names.force(true);
        }
        enter(place);
    }

    /** Where the files are; may be taken away when nothing is being written. */
    Path files() {
        return directory.resolve("files");
    }

    /** The row alone, of a file that is not there: what is left if the file costs nothing. */
    void writeRow() {
        enter(directory.resolve("file-" + numbers.getAndIncrement()));
    }

    private void enter(Path place) {
        queues.put(NewItem.of(QUEUE, place.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /** As many in a directory as the pool has. */
    static Path place(Path directory, int number) throws IOException {
        Path parent = directory.resolve("d" + number / FILES_PER_DIRECTORY);
        Files.createDirectories(parent);
        return parent.resolve("file-" + number);
    }

    static void create(Path place, byte[] content, boolean sync) throws IOException {
        Path fresh = place.resolveSibling(place.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(content));
            if (sync) {
                channel.force(true);
            }
        }
        Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void close() throws IOException {
        queues.close();
        data.close();
        BenchPool.delete(directory);
    }
}
