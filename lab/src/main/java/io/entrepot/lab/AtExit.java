package io.entrepot.lab;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What must be undone when this process ends, in one shutdown hook, the newest first: the children that use a disk are
 * dead before the disk is unmounted. (Separate hooks would run at the same time.) Safe for use by many threads.
 */
final class AtExit {

    /** An undo that may fail. */
    @FunctionalInterface
    interface Undo {
        void run() throws Exception;
    }

    /** The right to undo it earlier. */
    @FunctionalInterface
    interface Registration {

        /** True for exactly one caller: that one does the undoing now. */
        boolean cancel();
    }

    private static final Deque<Undo> UNDOS = new ArrayDeque<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(AtExit::undoAll, "entrepot-lab-at-exit"));
    }

    private AtExit() {}

    static Registration register(Undo undo) {
        Undo own = () -> undo.run(); // an identity of its own, even if the caller registers one object twice
        synchronized (UNDOS) {
            UNDOS.push(own);
        }
        return () -> {
            synchronized (UNDOS) {
                return UNDOS.remove(own);
            }
        };
    }

    private static void undoAll() {
        for (Undo undo = next(); undo != null; undo = next()) {
            try {
                undo.run();
            } catch (Exception e) {
                System.err.println("cleaning up: " + e);
            }
        }
    }

    private static @Nullable Undo next() {
        synchronized (UNDOS) {
            return UNDOS.poll();
        }
    }
}
