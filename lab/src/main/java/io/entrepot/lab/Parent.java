package io.entrepot.lab;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The other end of a {@link ChildJvm}: what a child's main method uses to hear commands and to answer. When the parent is
 * gone, the child ends at once, whatever it is doing. A line has left this process when {@link #say} returns: nothing is
 * buffered, so a kill in the next instruction does not take it back.
 *
 * <p>Safe for use by many threads.
 */
public final class Parent {

    private static final int PARENT_GONE = 3;

    private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    private final FileOutputStream output = new FileOutputStream(FileDescriptor.out);

    private Parent() {
        Thread.ofPlatform().daemon().name("parent").start(() -> {
            new WholeLines(System.in).forEach(commands::add);
            Runtime.getRuntime().halt(PARENT_GONE);
        });
    }

    /** Once per process; standard input and output belong to the parent from now on. */
    public static Parent connect() {
        return new Parent();
    }

    /** Says that commands can be taken. Do what takes long and is the same for every child before that. */
    public void ready() {
        say(ChildJvm.READY);
    }

    public void say(String line) {
        try {
            output.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next command, when there is one. */
    public String next() throws InterruptedException {
        return commands.take();
    }
}
