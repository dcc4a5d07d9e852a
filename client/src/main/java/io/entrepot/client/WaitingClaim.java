package io.entrepot.client;

import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileLease;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.process.Processing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A claim that waits at the server, and whose caller may be interrupted meanwhile. The server does not know of that: it may just
 * be handing out files. So the answer is waited for in any case, by a thread of its own: an interrupted caller gets files that
 * come at once, and what comes later is given back. Nothing has to wait for its lease to run out.
 */
final class WaitingClaim {
    /** Longer than a processing waits for files, so that it is never told that there are none while some come. */
    private static final Duration GRACE = Duration.ofSeconds(3);

    private final CompletableFuture<List<ClaimedFile>> answer = new CompletableFuture<>();
    private final boolean soon;
    private final Consumer<FileLease> giveBack;

    /** @param wait how long the server may wait */
    WaitingClaim(Supplier<List<ClaimedFile>> claim, Duration wait, Consumer<FileLease> giveBack,
            Processing.Threads threads) {
        this.soon = wait.compareTo(GRACE) < 0;
        this.giveBack = giveBack;
        threads.named("claim", () -> {
            try {
                answer.complete(claim.get());
            } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
            }
        }).start();
    }

    List<ClaimedFile> await() throws InterruptedException {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            return interrupted(e);
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    private List<ClaimedFile> interrupted(InterruptedException e) throws InterruptedException {
        try {
            List<ClaimedFile> files = answer.get(soon ? GRACE.toMillis() : 0, TimeUnit.MILLISECONDS);
            if (files.isEmpty()) {
                throw e;
            }
            Thread.currentThread().interrupt();
            return files;
        } catch (TimeoutException late) {
            CompletableFuture<?> unused = answer.thenAccept(this::returned);
            throw e;
        } catch (ExecutionException failed) {
            throw e; // there is nothing to give back
        }
    }

    private void returned(List<ClaimedFile> files) {
        for (ClaimedFile file : files) {
            try {
                giveBack.accept(file.lease());
            } catch (PoolException e) {
                ClientLog.INSTANCE.warn(file.lease() + " could not be given back, and runs out: " + e.getMessage());
            }
        }
    }

    private static RuntimeException failure(ExecutionException e) {
        if (e.getCause() instanceof Error error) {
            throw error;
        }
        return e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
    }
}
