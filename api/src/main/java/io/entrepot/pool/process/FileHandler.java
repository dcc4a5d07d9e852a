package io.entrepot.pool.process;

/**
 * What is done with a file. Called by many threads at once, each with a file of its own. If it returns, the file is
 * completed; if it throws, the file is failed with the exception's message, to be tried again unless it is a
 * {@link GiveUpException}.
 *
 * <p>It is interrupted when the lease is lost or the processing is closed and has no more patience; so let an
 * {@link InterruptedException} pass. What it has done to the outside world by then is not undone: a file may be handled more
 * than once, and one outcome counts.
 */
@FunctionalInterface
public interface FileHandler {

    void handle(FileTask task) throws Exception;
}
