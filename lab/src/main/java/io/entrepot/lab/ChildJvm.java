package io.entrepot.lab;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A JVM of our own that can be killed, stopped and talked to in lines. What it has written survives it: a pipe belongs to
 * the kernel, and {@link #kill9} returns only when every whole line has been passed on. A line cut off by death is dropped.
 *
 * <p>The child says {@code ready} ({@link Parent#ready}) when it can take its first command. It never outlives this process:
 * it ends when its input does, and is killed at exit.
 *
 * <p>Safe for use by many threads. The listener is called by one thread, line after line.
 */
public final class ChildJvm implements AutoCloseable {

    static final String READY = "ready";
    /** No child says this. */
    private static final String HEARD_OUT = "\u0001heard out";
    private static final int KEPT_ERRORS = 200;

    private final Process process;
    private final OutputStream input;
    private final AtExit.Registration atExit;
    private final Thread reader;
    private final Thread errorReader;
    private final CountDownLatch ready = new CountDownLatch(1);
    private volatile boolean saidReady;
    private volatile CountDownLatch heardOut = new CountDownLatch(1);
    private final Deque<String> errors = new ArrayDeque<>();

    private final Object listening = new Object();
    private final Deque<String> unheard = new ArrayDeque<>();
    private Consumer<String> listener = unheard::add;

    private ChildJvm(Process process) {
        this.process = process;
        this.input = process.getOutputStream();
        this.atExit = AtExit.register(process::destroyForcibly);
        this.reader = Thread.ofPlatform().daemon().name("child-" + process.pid()).start(this::readLines);
        this.errorReader = Thread.ofPlatform().daemon().name("child-" + process.pid() + "-errors")
                .start(this::readErrors);
    }

    public static ChildJvm start(ChildSpec spec) throws IOException {
        return new ChildJvm(new ProcessBuilder(spec.command()).start());
    }

    public long pid() {
        return process.pid();
    }

    public boolean alive() {
        return process.isAlive();
    }

    /** From now on the listener gets every line, those said before first. */
    public void listen(Consumer<String> newListener) {
        synchronized (listening) {
            unheard.forEach(newListener);
            unheard.clear();
            listener = newListener;
        }
    }

    /** Waits until the child can take commands. */
    public void awaitReady(Duration patience) throws IOException, InterruptedException {
        if (!ready.await(patience.toMillis(), TimeUnit.MILLISECONDS) || !saidReady) {
            throw new IOException("child " + pid() + " did not become ready" + lastWords());
        }
    }

    /** Sends a command. Fails if the child is gone. */
    public void send(String line) throws IOException {
        synchronized (input) {
            input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        }
    }

    /** SIGKILL; returns when it is dead and its last whole line has been heard. */
    public void kill9() throws InterruptedException {
        // Not by the process itself: that would close our end of the pipe, with the lines that are still in it.
        process.toHandle().destroyForcibly();
        ended();
    }

    /** SIGSTOP; returns when every thread stands still and no system call of theirs, such as a sync, is under way. */
    public void stop() throws IOException {
        signal("-STOP");
        ThreadStates states = new ThreadStates(Path.of("/proc/" + pid() + "/task"));
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!states.allStopped()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("child " + pid() + " does not stop: " + states.read());
            }
            LockSupport.parkNanos(100_000);
        }
    }

    /**
     * Returns when all that it said before it was stopped has been passed on. We say something in its pipe ourselves and wait
     * for that; a line of up to 4096 bytes is in a pipe as a whole or not at all.
     */
    public void hearOut() throws IOException, InterruptedException {
        heardOut = new CountDownLatch(1);
        try (OutputStream pipe = new FileOutputStream("/proc/" + pid() + "/fd/1")) {
            pipe.write((HEARD_OUT + "\n").getBytes(StandardCharsets.UTF_8));
        }
        heardOut.await();
    }

    /** SIGCONT: as if nothing had happened, only later. */
    public void cont() throws IOException {
        signal("-CONT");
    }

    private void signal(String name) throws IOException {
        if (!alive()) {
            throw new IOException("child " + pid() + " is gone" + lastWords());
        }
        Command.check("kill", name, "" + pid());
    }

    /** Waits until it has ended by itself and was heard out; its exit code. */
    public int awaitEnd(Duration patience) throws IOException, InterruptedException {
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException("child " + pid() + " did not end" + lastWords());
        }
        return ended();
    }

    private int ended() throws InterruptedException {
        int exit = process.waitFor();
        reader.join();
        errorReader.join();
        atExit.cancel();
        return exit;
    }

    /** What it printed on its error stream, the last lines only. */
    public String lastWords() {
        synchronized (errors) {
            return errors.isEmpty() ? "" : "; its last words:\n" + String.join("\n", errors);
        }
    }

    /** Kills it if it still lives. */
    @Override
    public void close() {
        boolean interrupted = false;
        while (true) {
            try {
                kill9();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void readLines() {
        try {
            new WholeLines(process.getInputStream()).forEach(this::heard);
        } finally {
            ready.countDown();
        }
    }

    private void heard(String line) {
        if (!saidReady && line.equals(READY)) {
            saidReady = true;
            ready.countDown();
            return;
        }
        if (line.equals(HEARD_OUT)) {
            heardOut.countDown();
            return;
        }
        synchronized (listening) {
            listener.accept(line);
        }
    }

    private void readErrors() {
        new WholeLines(process.getErrorStream()).forEach(line -> {
            synchronized (errors) {
                if (errors.size() == KEPT_ERRORS) {
                    errors.poll();
                }
                errors.add(line);
            }
        });
    }
}
