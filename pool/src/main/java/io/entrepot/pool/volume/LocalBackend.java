package io.entrepot.pool.volume;

import io.entrepot.lease.Nonces;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Capability;
import io.entrepot.posix.Directory;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.MountPool;
import io.entrepot.posix.MountPools;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Replacing;
import io.entrepot.posix.Stat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * A volume that is a directory of a file system. Blobs are files at {@link BlobPath}, with their descriptions as the user
 * attribute {@code entrepot}; {@code .entrepot} holds the volume's name and what is being written.
 *
 * <p>Where the system can sync a whole file system ({@link Capability#SYNC_FILE_SYSTEM}) placing does not sync and
 * {@link #sync} does, for all at once. Elsewhere each blob is synced as it is placed, and {@link Traits#durable} says so.
 *
 * <p>Safe for use by many threads; everything that touches the storage runs on the mount's own threads.
 */
public final class LocalBackend implements Backend {
    private static final byte[] PROBE = {'p', 'r', 'o', 'b', 'e'};

    private final VolumeRoot root;
    private final MountThreads threads;
    private final OpenDirectories directories;
    private final Placing placing;
    private final TempNames names;
    private final SmallBlobs small;
    private final SharedSync sync;
    private final Traits traits;

    /**
     * @param volume      which one it is: 1 to 64 letters, digits, {@code . _ -}. What names another one is not opened
     * @param create      makes the directory, and names it, if it has no name. Set it once, when the volume is new: at any
     *                    other time storage that is not mounted would become an empty volume
     * @param patience    how long a call may take. Too short, and a busy disk is taken for a dead one; too long, and as long do
     *                    callers wait for storage that is gone
     * @param directories how many are held open. With fewer than there are tenants who write at a time, each write opens some
     * @param nonces      for temporary names that nobody else has who writes to the same storage
     */
    public record Settings(String volume, boolean create, Duration patience, int directories, Nonces nonces) {
        private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

        public Settings {
            if (!ALLOWED.matcher(volume).matches()) {
                throw new IllegalArgumentException("\"" + volume + "\" does not name a volume: 1 to 64 of a-z A-Z 0-9"
                        + " . _ -, starting with a letter or digit");
            }
            if (patience.isNegative() || patience.isZero()) {
                throw new IllegalArgumentException("patience has to last for some time, not " + patience);
            }
            if (directories < 1) {
                throw new IllegalArgumentException("one directory at least is held open, not " + directories);
            }
        }

        public static Settings of(String volume) {
            return new Settings(volume, false, Duration.ofSeconds(30), 256, Nonces.secure());
        }

        public Settings withCreate(boolean to) {
            return new Settings(volume, to, patience, directories, nonces);
        }

        public Settings withPatience(Duration to) {
            return new Settings(volume, create, to, directories, nonces);
        }

        public Settings withDirectories(int to) {
            return new Settings(volume, create, patience, to, nonces);
        }

        public Settings withNonces(Nonces to) {
            return new Settings(volume, create, patience, directories, to);
        }
    }

    private LocalBackend(VolumeRoot root, MountPool pool, Settings settings, TempNames names) {
        this.root = root;
        this.names = names;
        this.threads = new MountThreads(pool, settings.patience, root);
        this.directories = new OpenDirectories(root.top(), settings.directories);
        this.placing = new Placing(root, directories);
        this.sync = new SharedSync(threads, root);
        this.traits = new Traits(!root.calls().can(Capability.SYNC_FILE_SYSTEM), root.described(), true, true);
        this.small = new SmallBlobs(root, threads, placing, names, traits);
    }

    /**
     * Opens the volume.
     *
     * @throws VolumeException of kind NOT_THE_VOLUME if it is not there, or another one is
     */
    public static LocalBackend open(FileCalls calls, MountPools pools, Path root, Settings settings)
            throws VolumeException, InterruptedException {
        TempNames names = new TempNames(settings.nonces);
        try {
            Path path = root.toAbsolutePath().normalize();
            VolumeRoot opened = pools.of(BytePath.of(path)).call(() -> {
                VolumeRoot volume = VolumeRoot.open(calls, settings.volume, path, settings.create, names);
                forgetOldErrors(volume);
                return volume;
            }, settings.patience);
            // By the path without links, which may lead to another mount.
            return new LocalBackend(opened, pools.of(BytePath.of(opened.path())), settings, names);
        } catch (IOException e) {
            throw Failures.of(settings.volume, "open " + root, e);
        }
    }

    /** A failure to write back from before we came would otherwise be told to our first sync, as if it were ours. */
    private static void forgetOldErrors(VolumeRoot volume) {
        try {
            volume.top().syncFileSystem();
        } catch (PosixException e) {
            // Nothing of ours can be lost yet. A file system that cannot sync at all tells so next time.
        }
    }

    @Override
    public Traits traits() {
        return traits;
    }

    @Override
    public void put(BlobPath path, ByteBuffer content, byte[] description)
            throws VolumeException, InterruptedException {
        small.put(path, content, description, Replacing.NO_REPLACE);
    }

    @Override
    public Putting putting(BlobPath path, ByteBuffer content, byte[] description, Runnable placed)
            throws VolumeException {
        return small.putting(path, content, description, placed);
    }

    @Override
    public int putAll(List<NewBlob> blobs) throws VolumeException, InterruptedException {
        return small.putAll(blobs);
    }

    @Override
    public void replace(BlobPath path, ByteBuffer content, byte[] description)
            throws VolumeException, InterruptedException {
        small.put(path, content, description, Replacing.REPLACE);
    }

    @Override
    public Incoming begin() throws VolumeException, InterruptedException {
        return incoming(threads.call("begin", () -> names.unused(this::create)));
    }

    private Opened create(Name name) throws IOException {
        return new Opened(name, root.incoming().create(name, VolumeRoot.FILE_MODE), 0);
    }

    private Incoming incoming(Opened opened) {
        return new LocalIncoming(threads, root, placing, opened.name, opened.channel, opened.size);
    }

    /** Closed by the mount's threads if nobody waits for it any more. */
    private record Opened(Name name, FileChannel channel, long size) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            channel.close();
        }

        static Opened of(Name name, FileChannel channel) throws IOException {
            try {
                return new Opened(name, channel, channel.size());
            } catch (IOException e) {
                channel.close();
                throw e;
            }
        }
    }

    @Override
    public Optional<Incoming> resume(String id) throws VolumeException, InterruptedException {
        if (!TempNames.isOne(id)) {
            return Optional.empty();
        }
        Name name = Name.of(id);
        return unlessMissing(() -> incoming(threads.call("resume " + id, () -> openToWrite(name))));
    }

    private Opened openToWrite(Name name) throws IOException {
        // With two names it has its place, and a crash came before the first one was taken away.
        if (root.incoming().stat(name, Freshness.UNCACHED).links() > 1) {
            root.drop(name);
        }
        return Opened.of(name, root.incoming().openToWrite(name));
    }

    @Override
    public void begun(Consumer<Begun> visitor) throws VolumeException, InterruptedException {
        BytePath path = BytePath.CURRENT.resolve(VolumeRoot.META).resolve(VolumeRoot.INCOMING);
        try (Listing listing = new Listing(threads, root, path)) {
            Listing.Part part;
            do {
                part = listing.next();
                for (Listing.Found found : part.found()) {
                    if (found.type() == FileType.FILE && TempNames.isOne(found.name().toString())) {
                        visitor.accept(new Begun(found.name().toString(), found.size(), found.changed()));
                    }
                }
            } while (!part.last());
        }
    }

    @Override
    public boolean dropBegun(String id) throws VolumeException, InterruptedException {
        return TempNames.isOne(id) && unlessMissing(() -> threads.call("drop " + id, () -> {
            root.incoming().unlink(Name.of(id));
            return true;
        })).isPresent();
    }

    @Override
    public Blob open(BlobPath path) throws VolumeException, InterruptedException {
        Opened opened = threads.call(path,
                () -> in(path, (directory, name) -> Opened.of(name, directory.openFile(name))));
        return new LocalBlob(threads, path, opened.channel, opened.size);
    }

    @Override
    public Optional<Stored> look(BlobPath path) throws VolumeException, InterruptedException {
        return unlessMissing(() -> threads.call(path, () -> in(path, (directory, name) -> {
            Stat stat = directory.stat(name, Freshness.UNCACHED);
            return stat.type() == FileType.FILE
                    ? Optional.of(new Stored(path, stat.size(), Listing.millis(stat.ctime()),
                            !stat.isUnfinished() || root.isDescribed(directory, name)))
                    : Optional.<Stored>empty();
        }))).flatMap(found -> found);
    }

    @Override
    public Optional<byte[]> description(BlobPath path) throws VolumeException, InterruptedException {
        return traits.described()
                ? threads.call(path,
                        () -> in(path, (directory, name) -> directory.attribute(name, VolumeRoot.DESCRIPTION)))
                : Optional.empty();
    }

    @Override
    public boolean delete(BlobPath path) throws VolumeException, InterruptedException {
        return unlessMissing(() -> threads.call(path, () -> {
            in(path, (directory, name) -> {
                directory.unlink(name);
                return true;
            });
            if (traits.durable()) {
                directories.sync(path.directory());
            }
            return true;
        })).isPresent();
    }

    @Override
    public void sync() throws VolumeException, InterruptedException {
        if (!traits.durable()) {
            sync.sync();
        }
    }

    @Override
    public void walk(Consumer<Stored> blobs, Consumer<Stray> strays) throws VolumeException, InterruptedException {
        new Walk(threads, root, blobs, strays).run();
    }

    @Override
    public void keepSettings(byte[] settings) throws VolumeException, InterruptedException {
        threads.call("settings", () -> {
            root.keepSettings(settings);
            return true;
        });
    }

    @Override
    public void release() throws VolumeException, InterruptedException {
        threads.call("release", () -> {
            root.unname();
            return true;
        });
    }

    @Override
    public Space space() throws VolumeException, InterruptedException {
        Path identity = root.path().resolve(VolumeRoot.META.toString()).resolve(VolumeRoot.IDENTITY.toString());
        return threads.call("space", () -> {
            // By a file that only the volume has: a mount point without storage has the space of something else.
            FileStore store = Files.getFileStore(identity);
            return new Space(store.getTotalSpace(), store.getUsableSpace());
        });
    }

    @Override
    public void probe() throws VolumeException, InterruptedException {
        threads.call("probe", () -> {
            root.check();
            Opened probe = names.unused(this::create);
            try (FileChannel channel = probe.channel) {
                channel.write(ByteBuffer.wrap(PROBE));
                channel.force(true);
                ByteBuffer back = ByteBuffer.allocate(PROBE.length);
                if (channel.read(back, 0) != PROBE.length || !back.flip().equals(ByteBuffer.wrap(PROBE))) {
                    throw new Fault(VolumeException.Kind.BROKEN, "what was written is not what is read");
                }
            } finally {
                root.drop(probe.name);
            }
            return true;
        });
    }

    @Override
    public Optional<Path> path(BlobPath path) {
        return Optional.of(root.path().resolve(path.toString()));
    }

    @Override
    public EmptyDirectories emptyDirectories() {
        return new LocalEmptyDirectories(threads, root, directories);
    }

    @Override
    public void close() {
        threads.close();
        threads.finish(() -> {
            directories.close();
            root.close();
        });
    }

    @FunctionalInterface
    private interface InDirectory<T> {
        T run(Directory directory, Name name) throws IOException;
    }

    /** A directory that is held may have been removed and made again by others, so nothing is missing before a second look. */
    private <T> T in(BlobPath path, InDirectory<T> call) throws IOException {
        String directory = path.directory();
        Name name = Name.of(path.fileName());
        try (OpenDirectories.Held held = directories.open(directory)) {
            return call.run(held.directory(), name);
        } catch (PosixException e) {
            if (!Failures.isGone(e)) {
                throw e;
            }
        }
        directories.forget(directory);
        try (OpenDirectories.Held held = directories.open(directory)) {
            return call.run(held.directory(), name);
        }
    }

    @FunctionalInterface
    private interface Looking<T> {
        T run() throws VolumeException, InterruptedException;
    }

    private static <T> Optional<T> unlessMissing(Looking<T> call) throws VolumeException, InterruptedException {
        try {
            return Optional.of(call.run());
        } catch (VolumeException e) {
            if (e.kind() != VolumeException.Kind.MISSING) {
                throw e;
            }
            return Optional.empty();
        }
    }
}
