package io.entrepot.pool.volume;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A small blob that is put by a thread of its own: for storage whose calls take long and bear many at a time, where a thread costs
 * nothing beside them. Safe for use by many threads: who has begun is settled once, and what came of it is read when that is told.
 */
final class PutAside implements Backend.Putting, Runnable {
    /** So many at a time, of many. */
    private static final int AT_ONCE = 32;

    private final Backend backend;
    private final BlobPath path;
    private final ByteBuffer content;
    private final byte[] description;
    private final Runnable placed;
    private final Attempt attempt = new Attempt();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean put;
    private volatile @Nullable Throwable failure;

    private PutAside(Backend backend, BlobPath path, ByteBuffer content, byte[] description, Runnable placed) {
        this.backend = backend;
        this.path = path;
        this.content = content;
        this.description = description;
        this.placed = placed;
    }

    static PutAside start(Backend backend, BlobPath path, ByteBuffer content, byte[] description, Runnable placed) {
        PutAside putting = new PutAside(backend, path, content, description, placed);
        Thread.ofVirtual().name("put " + path).start(putting);
        return putting;
    }

    /** See {@link Backend#putAll}: some at a time, and those behind the first that cannot be are taken away again. */
    static int all(Backend backend, List<Backend.NewBlob> blobs) throws VolumeException, InterruptedException {
        int there = 0;
        while (there < blobs.size()) {
            List<Backend.NewBlob> some = blobs.subList(there, Math.min(there + AT_ONCE, blobs.size()));
            int put = some(backend, some);
            there += put;
            if (put < some.size()) {
                break;
            }
        }
        return there;
    }

    private static int some(Backend backend, List<Backend.NewBlob> blobs)
            throws VolumeException, InterruptedException {
        List<PutAside> all = new ArrayList<>(blobs.size());
        for (Backend.NewBlob blob : blobs) { // their bytes are copied, as whoever is interrupted does not wait for the threads
            ByteBuffer own = ByteBuffer.allocate(blob.content().remaining()).put(blob.content()).flip();
            all.add(start(backend, blob.path(), own, blob.description(), () -> {}));
        }
        int there = 0;
        boolean failed = false;
        VolumeException hangs = null;
        for (PutAside one : all) {
            one.over.await();
            if (one.failure instanceof VolumeException e && e.kind() == VolumeException.Kind.HANGS) {
                hangs = e;
            } else if (one.failure != null && !(one.failure instanceof VolumeException)) {
                one.await(); // throws it
            }
            failed |= !one.put;
            if (!failed) {
                there++;
            } else if (one.put) {
                backend.delete(one.path);
            }
        }
        if (hangs != null) {
            throw hangs;
        }
        return there;
    }

    @Override
    public void run() {
        try {
            if (attempt.make()) {
                backend.put(path, content, description);
                placed.run();
                put = true;
            }
        } catch (Throwable e) { // for whoever waits
            failure = e;
        } finally {
            over.countDown();
        }
    }

    @Override
    public boolean isOver() {
        return over.getCount() == 0;
    }

    @Override
    public boolean isPut() {
        return put;
    }

    @Override
    public boolean giveUp() {
        return attempt.giveUp();
    }

    @Override
    public void await() throws VolumeException, InterruptedException {
        over.await();
        switch (failure) {
            case null -> {
            }
            case VolumeException e -> throw e;
            case InterruptedException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }
}
