package io.entrepot.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Errno;
import io.entrepot.posix.Inotify;
import io.entrepot.posix.InotifyEvents;
import io.entrepot.posix.PosixException;
import io.entrepot.scan.Fact.Reason;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterpreterTest {
    @TempDir
    Path directory;

    /** The kernel's own overflow, written by hand: a reader that only reads does not let it come to that. */
    @Test
    void interpret_whenKernelDroppedEvents_leadsToAWalk() throws Exception {
        Files.createDirectory(directory.resolve("a"));
        BytePath root = BytePath.of(directory.toRealPath());
        WatchMap map = new WatchMap(root);
        List<Fact> facts = new ArrayList<>();
        try (Inotify inotify = WatchedTree.CALLS.notification().orElseThrow().open();
                Interpreter interpreter = new Interpreter(WatchedTree.CALLS, WatchedTree.CLOCK, root,
                        RootMount.of(WatchedTree.CALLS, root), Watcher.Settings.ofWholeTree(), map,
                        new Watches(inotify, map, 100), facts::add)) {
            InotifyEvents events = new InotifyEvents(1024);
            events.memory().set(ValueLayout.JAVA_INT, 0, -1);
            events.memory().set(ValueLayout.JAVA_INT, 4, Inotify.Q_OVERFLOW);
            events.filled(16);
            assertThat(interpreter.interpret(events, _ -> {})).isFalse();
            interpreter.walkAfterLoss();
            assertThat(facts.getFirst()).isEqualTo(new Fact.Rescan(root, Reason.OVERFLOW));
            assertThat(facts).hasSize(3);
            assertThat(map.size()).isEqualTo(2);
        }
    }

    @Test
    void root_whenThereIsNoWatchForIt_isToldOnceAndAllIsWatchedWhenThereIs() throws Exception {
        Files.createDirectory(directory.resolve("a"));
        BytePath root = BytePath.of(directory.toRealPath());
        WatchMap map = new WatchMap(root);
        List<Fact> facts = new ArrayList<>();
        AtomicBoolean full = new AtomicBoolean(true);
        try (Inotify inotify = WatchedTree.CALLS.notification().orElseThrow().open();
                Interpreter interpreter = new Interpreter(WatchedTree.CALLS, WatchedTree.CLOCK, root,
                        RootMount.of(WatchedTree.CALLS, root), Watcher.Settings.ofWholeTree(), map,
                        new Watches(refusing(inotify, full), map, 100), facts::add)) {
            interpreter.walk().all();
            interpreter.rest();
            interpreter.rest();
            assertThat(facts).containsExactly(new Fact.Rescan(root, Reason.UNWATCHED));
            full.set(false);
            interpreter.rest();
            assertThat(map.size()).isEqualTo(2);
        }
    }

    /** Has no more watches while it is full. */
    private static Inotify refusing(Inotify inotify, AtomicBoolean full) {
        return (Inotify) Proxy.newProxyInstance(Inotify.class.getClassLoader(), new Class<?>[]{Inotify.class},
                (_, method, arguments) -> {
                    if (method.getName().equals("add") && full.get()) {
                        throw new PosixException("watch", "a directory", Errno.ENOSPC);
                    }
                    return method.invoke(inotify, arguments);
                });
    }

    @Test
    void walk_whenEventsWereLostAndTheRootIsUnmounted_isNotAnEmptyTree() throws Exception {
        assumeThat(Mounting.mount(directory)).isTrue();
        Files.createDirectory(directory.resolve("a"));
        BytePath root = BytePath.of(directory.toRealPath());
        WatchMap map = new WatchMap(root);
        List<Fact> facts = new ArrayList<>();
        try (Inotify inotify = WatchedTree.CALLS.notification().orElseThrow().open();
                Interpreter interpreter = new Interpreter(WatchedTree.CALLS, WatchedTree.CLOCK, root,
                        RootMount.of(WatchedTree.CALLS, root), Watcher.Settings.ofWholeTree(), map,
                        new Watches(inotify, map, 100), facts::add)) {
            interpreter.walk().all();
            facts.clear();
            assertThat(Mounting.unmount(directory)).isTrue();
            interpreter.walkAfterLoss();
            interpreter.rest();
            interpreter.walk().all();
            assertThat(facts).containsExactly(new Fact.Rescan(root, Reason.OVERFLOW),
                    new Fact.Rescan(root, Reason.WATCH_LOST));
            assertThat(interpreter.walk().rootWatched()).isFalse();
            assertThat(map.size()).isZero();
            assertThat(Mounting.mount(directory)).isTrue();
            interpreter.rest();
            assertThat(facts).last().isInstanceOf(Fact.Listed.class);
            assertThat(interpreter.walk().rootWatched()).isTrue();
        } finally {
            Mounting.unmount(directory);
        }
    }
}
