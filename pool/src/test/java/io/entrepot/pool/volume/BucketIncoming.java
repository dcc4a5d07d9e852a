package io.entrepot.pool.volume;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A blob that comes piece by piece, in a bucket: each piece is an object, named by where it begins, and they are put together when
 * all is there. What is too short for a piece is in memory. For one thread.
 */
final class BucketIncoming implements Incoming {
    private static final int PIECE = 128 << 10;
    private static final String BEGIN = "begin";

    private final BucketCalls calls;
    private final String directory;
    private final String id;
    private final TempNames names;
    /** How long the piece is that begins there. */
    private final NavigableMap<Long, Long> pieces = new TreeMap<>();
    private final ByteArrayOutputStream rest = new ByteArrayOutputStream();
    private long stored;
    private boolean lost;
    private boolean ended;

    private BucketIncoming(BucketCalls calls, String parent, String id, TempNames names) {
        this.calls = calls;
        this.directory = parent + id + "/";
        this.id = id;
        this.names = names;
    }

    static BucketIncoming begin(BucketCalls calls, String parent, TempNames names)
            throws VolumeException, InterruptedException {
        BucketIncoming incoming = new BucketIncoming(calls, parent, names.next().toString(), names);
        incoming.put(BEGIN, new byte[0]);
        return incoming;
    }

    static Optional<Incoming> resume(BucketCalls calls, String parent, String id, TempNames names)
            throws VolumeException, InterruptedException {
        BucketIncoming incoming = new BucketIncoming(calls, parent, id, names);
        if (calls.find(incoming.directory + BEGIN).isEmpty()) {
            return Optional.empty();
        }
        calls.list(incoming.directory, entry -> {
            String name = entry.key().substring(incoming.directory.length());
            if (!name.equals(BEGIN) && Long.parseLong(name) == incoming.stored) {
                incoming.pieces.put(incoming.stored, entry.size());
                incoming.stored += entry.size();
            }
        });
        return Optional.of(incoming);
    }

    /** The one that says it was begun goes last. */
    static boolean drop(BucketCalls calls, String parent, String id) throws VolumeException, InterruptedException {
        List<String> keys = new ArrayList<>();
        calls.list(parent + id + "/", entry -> keys.add(entry.key()));
        for (String key : keys) {
            calls.delete(key);
        }
        return !keys.isEmpty();
    }

    private static String name(long at) {
        return String.format(java.util.Locale.ROOT, "%019d", at);
    }

    private void put(String name, byte[] content) throws VolumeException, InterruptedException {
        calls.put(directory + name, content, new byte[0], names.next().toString(), false);
    }

    private interface Step<T> {
        T run() throws VolumeException, InterruptedException;
    }

    private <T> T step(Step<T> step) throws VolumeException, InterruptedException {
        calls.requireOpen();
        if (lost) {
            throw new VolumeException(VolumeException.Kind.HANGS, id + ": an earlier call did not come back", null);
        }
        if (ended) {
            throw new IllegalStateException(id + " is closed");
        }
        try {
            return step.run();
        } catch (VolumeException e) {
            lost = e.kind() == VolumeException.Kind.HANGS;
            throw e;
        } catch (InterruptedException e) {
            lost = true;
            throw e;
        }
    }

    private boolean flush() throws VolumeException, InterruptedException {
        if (rest.size() > 0) {
            byte[] content = rest.toByteArray();
            rest.reset(); // if it fails, it is not there
            put(name(stored), content);
            pieces.put(stored, (long) content.length);
            stored += content.length;
        }
        return true;
    }

    /** Somebody may have dropped it: then what came after that goes, too. */
    private boolean requireBegun() throws VolumeException, InterruptedException {
        if (calls.find(directory + BEGIN).isPresent()) {
            return true;
        }
        end(true);
        throw new VolumeException(VolumeException.Kind.MISSING, id + " was dropped", null);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public long size() {
        return stored + rest.size();
    }

    @Override
    public void write(ByteBuffer content) throws VolumeException, InterruptedException {
        step(() -> {
            while (content.hasRemaining()) {
                byte[] some = new byte[Math.min(content.remaining(), PIECE - rest.size())];
                content.get(some);
                rest.writeBytes(some);
                if (rest.size() == PIECE) {
                    flush();
                }
            }
            return true;
        });
    }

    @Override
    public int read(long position, ByteBuffer into) throws VolumeException, InterruptedException {
        return step(() -> {
            if (position >= stored) {
                int from = (int) (position - stored);
                int length = Math.min(into.remaining(), rest.size() - from);
                if (from >= rest.size()) {
                    return -1;
                }
                into.put(rest.toByteArray(), from, length);
                return length;
            }
            var piece = pieces.floorEntry(position);
            int length = (int) Math.min(into.remaining(), piece.getKey() + piece.getValue() - position);
            byte[] read = get(piece.getKey(), position - piece.getKey(), length);
            into.put(read);
            return read.length;
        });
    }

    private byte[] get(long piece, long from, int length) throws VolumeException, InterruptedException {
        String key = directory + name(piece);
        return calls.call(key, () -> calls.bucket().get(calls.key(key), from, length, Optional.empty()));
    }

    @Override
    public void truncate(long size) throws VolumeException, InterruptedException {
        if (size < 0 || size > size()) {
            throw new IllegalArgumentException("there are " + size() + " bytes to cut off from, not " + size);
        }
        step(() -> {
            flush();
            while (stored > size) {
                var last = pieces.lastEntry();
                byte[] kept = last.getKey() < size ? get(last.getKey(), 0, (int) (size - last.getKey())) : new byte[0];
                calls.delete(directory + name(last.getKey()));
                pieces.remove(last.getKey());
                stored = last.getKey();
                rest.writeBytes(kept);
            }
            return flush();
        });
    }

    @Override
    public void force() throws VolumeException, InterruptedException {
        step(() -> {
            flush();
            return requireBegun();
        });
    }

    @Override
    public void place(BlobPath path, byte[] description) throws VolumeException, InterruptedException {
        SmallBlobs.checkDescription(description);
        step(() -> {
            flush();
            requireBegun();
            calls.compose(path, pieces.keySet().stream().map(at -> calls.key(directory + name(at))).toList(),
                    description, names.next().toString());
            end(true);
            return true;
        });
    }

    private void end(boolean drop) {
        ended = true;
        if (drop) {
            boolean interrupted = Thread.interrupted();
            try {
                drop(calls, directory.substring(0, directory.length() - id.length() - 1), id);
            } catch (VolumeException e) {
                // A sweep of what was begun finds it.
            } catch (InterruptedException e) {
                interrupted = true;
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @Override
    public void keep() {
        boolean interrupted = Thread.interrupted();
        try {
            if (!lost && !ended) {
                flush();
                requireBegun();
            }
        } catch (VolumeException e) {
            // The size tells whoever resumes it.
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            ended = true;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        if (!ended) {
            end(true);
        }
    }
}
