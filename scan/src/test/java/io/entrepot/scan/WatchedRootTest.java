package io.entrepot.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.entrepot.scan.Fact.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What may become of the directory that is watched. */
class WatchedRootTest {
    private static final Watcher.Settings WHOLE = Watcher.Settings.ofWholeTree();

    @TempDir
    Path directory;

    private Path root;
    private Path outside;

    @BeforeEach
    void makeDirectories() throws IOException {
        root = Files.createDirectory(directory.resolve("root"));
        outside = Files.createDirectory(directory.resolve("outside"));
    }

    @Test
    void root_whenDeletedAndMadeAgain_isAbsentAndThenThere() throws Exception {
        Files.createDirectory(root.resolve("a"));
        try (WatchedTree tree = new WatchedTree(root, WHOLE)) {
            tree.news();
            Files.delete(root.resolve("a"));
            Files.delete(root);
            await().until(() -> tree.news().stream()
                    .anyMatch(fact -> fact instanceof Fact.Absent && fact.path().equals(tree.root)));
            assertThat(tree.watcher.status().rootWatched()).isFalse();
            assertThat(tree.mirror.size()).isZero();
            Files.createDirectories(root.resolve("b/c"));
            await().until(() -> tree.watcher.status().watched() == 3);
            tree.assertPictureIsTrue();
        }
    }

    @Test
    void root_whenMovedAway_isLeft() throws Exception {
        Files.createDirectory(root.resolve("a"));
        try (WatchedTree tree = new WatchedTree(root, WHOLE)) {
            tree.news();
            Files.move(root, outside.resolve("moved"));
            await().until(() -> !tree.watcher.status().rootWatched());
            Files.writeString(outside.resolve("moved/a/file"), "1");
            assertThat(tree.mirror.size()).isZero();
        }
    }

    @Test
    void change_whileADirectoryAboveTheRootIsElsewhere_isSeenWhenItIsBack() throws Exception {
        Path above = Files.createDirectory(outside.resolve("above"));
        Path inside = Files.createDirectories(above.resolve("root"));
        Files.writeString(inside.resolve("file"), "1");
        Files.createDirectory(inside.resolve("a"));
        try (WatchedTree tree = new WatchedTree(inside, WHOLE)) {
            tree.news();
            Path elsewhere = Files.move(above, outside.resolve("elsewhere"));
            Files.writeString(elsewhere.resolve("root/file"), "22");
            Files.createDirectory(elsewhere.resolve("root/a/new"));
            assertThat(tree.news()).contains(new Fact.Rescan(tree.root, Reason.WATCH_LOST))
                    .noneMatch(fact -> fact.path().equals(tree.path("file")));
            Files.move(elsewhere, above);
            await().until(() -> tree.watcher.watched().contains(tree.path("a/new")));
            assertThat(tree.news()).extracting(WatcherTest::text).contains("listed root", "listed a", "listed new");
            tree.assertPictureIsTrue();
        }
    }

    @Test
    void change_whileAnotherRootIsInItsPlace_isNotToldOfThatOne() throws Exception {
        Path above = Files.createDirectory(outside.resolve("above"));
        Path inside = Files.createDirectories(above.resolve("root"));
        Files.writeString(inside.resolve("file"), "1");
        Files.createDirectories(outside.resolve("second/root/other"));
        try (WatchedTree tree = new WatchedTree(inside, WHOLE)) {
            tree.news();
            Path elsewhere = Files.move(above, outside.resolve("elsewhere"));
            Files.move(outside.resolve("second"), above);
            Files.writeString(elsewhere.resolve("root/file"), "22");
            assertThat(tree.news()).extracting(WatcherTest::text).containsExactly("root rescan WATCH_LOST",
                    "listed root", "listed other");
            tree.assertPictureIsTrue();
        }
    }

    @Test
    void root_whenUnmounted_isNotAnEmptyTree() throws Exception {
        assumeThat(Mounting.mount(root)).isTrue();
        try (WatchedTree tree = new WatchedTree(root, WHOLE)) {
            Files.createDirectories(root.resolve("a/b"));
            tree.news();
            assertThat(Mounting.unmount(root)).isTrue();
            assertThat(tree.news()).contains(new Fact.Rescan(tree.root, Reason.WATCH_LOST))
                    .noneMatch(fact -> fact instanceof Fact.Listed || fact instanceof Fact.Absent);
            assertThat(tree.watcher.status().rootWatched()).isFalse();
            assertThat(Mounting.mount(root)).isTrue();
            Files.createDirectories(root.resolve("c"));
            await().until(() -> tree.watcher.status().watched() == 2);
            tree.assertPictureIsTrue();
        } finally {
            Mounting.unmount(root);
        }
    }

    @Test
    void mountInside_isNotEntered() throws Exception {
        Path inside = Files.createDirectory(root.resolve("inside"));
        assumeThat(Mounting.mount(inside)).isTrue();
        try (WatchedTree tree = new WatchedTree(root, WHOLE)) {
            Files.createDirectories(inside.resolve("a"));
            tree.news();
            assertThat(tree.watcher.watched()).containsExactly(tree.root);
        } finally {
            Mounting.unmount(inside);
        }
    }
}
