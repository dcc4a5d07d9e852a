package io.entrepot.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileType;
import io.entrepot.posix.PosixException;
import io.entrepot.scan.Fact.Cause;
import io.entrepot.scan.Fact.Reason;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatcherTest {
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
    void open_listsEveryDirectoryFirst() throws Exception {
        Files.createDirectories(root.resolve("a/b/c"));
        Files.writeString(root.resolve("a/b/file"), "text");
        try (WatchedTree tree = new WatchedTree(root, WHOLE)) {
            assertThat(tree.news()).extracting(Fact::path).containsExactly(tree.root, tree.path("a"), tree.path("a/b"),
                    tree.path("a/b/c"));
            assertThat(tree.watcher.status().watched()).isEqualTo(4);
            tree.assertPictureIsTrue();
        }
    }

    @Test
    void open_whenRootIsNoDirectory_isRefused() throws Exception {
        Path file = Files.writeString(root.resolve("file"), "");
        assertThatThrownBy(() -> new WatchedTree(file, WHOLE)).isInstanceOfSatisfying(PosixException.class,
                e -> assertThat(e.errno()).isEqualTo(Errno.ENOTDIR));
    }

    @Test
    void writing_tellsOfContentAndOfTheClosing() throws Exception {
        try (WatchedTree tree = new WatchedTree(root, WHOLE)) {
            tree.news();
            try (OutputStream out = Files.newOutputStream(root.resolve("file"))) {
                assertThat(tree.news()).extracting(WatcherTest::text).containsExactly("file CREATED 0");
                out.write(new byte[7]);
                assertThat(tree.news()).extracting(WatcherTest::text).containsExactly("file MODIFIED 7");
            }
            assertThat(tree.news()).extracting(WatcherTest::text).containsExactly("file CLOSED 7");
            Files.setPosixFilePermissions(root.resolve("file"), PosixFilePermissions.fromString("r--------"));
            assertThat(tree.news()).extracting(WatcherTest::text).containsExactly("file ATTRIBUTES 7");
            Files.delete(root.resolve("file"));
            assertThat(tree.news()).extracting(WatcherTest::text).containsExactly("file absent DELETED");
        }
    }

    @Test
    void modifications_whenThereAreMany_areFewFacts() throws Exception {
        try (WatchedTree tree = new WatchedTree(root, WHOLE)) {
            tree.news();
            CountDownLatch shut = tree.shut();
            try (OutputStream out = Files.newOutputStream(root.resolve("file"))) {
                for (int i = 0; i < 1000; i++) {
                    out.write(1);
                    Files.writeString(root.resolve("other"), "x");
                }
            }
            shut.countDown();
            assertThat(tree.news()).hasSizeLessThan(20);
            tree.assertPictureIsTrue();
        }
    }

    @Test
    void move_insideOutAndIn_isAbsenceAndPresence() throws Exception {
        Files.writeString(root.resolve("a"), "1");
        Files.writeString(outside.resolve("x"), "22");
        try (WatchedTree tree = new WatchedTree(root, WHOLE)) {
            tree.news();
            Files.move(root.resolve("a"), root.resolve("b"));
            assertThat(tree.news()).extracting(WatcherTest::text).containsExactlyInAnyOrder("a absent MOVED_AWAY",
                    "b MOVED_HERE 1");
            Files.move(root.resolve("b"), outside.resolve("b"));
            assertThat(tree.news()).extracting(WatcherTest::text).containsExactly("b absent MOVED_AWAY");
            Files.move(outside.resolve("x"), root.resolve("x"));
            assertThat(tree.news()).extracting(WatcherTest::text).containsExactly("x MOVED_HERE 2");
        }
    }

    @Test
    void names_thatAreIgnored_areNotToldOf() throws Exception {
        Files.writeString(root.resolve("a"), "1");
        try (WatchedTree tree = new WatchedTree(root, WHOLE.withIgnored(name -> name.toString().startsWith(".own-")))) {
            tree.news();
            Files.move(root.resolve("a"), root.resolve(".own-a"));
            Files.delete(root.resolve(".own-a"));
            assertThat(tree.news()).extracting(WatcherTest::text).containsExactly("a absent MOVED_AWAY");
            Files.createDirectory(root.resolve(".own-directory"));
            Files.writeString(root.resolve(".own-directory/b"), "");
            tree.assertPictureIsTrue();
        }
    }

    @Test
    void directory_whenMovedInside_isFollowedWithAllBelow() throws Exception {
        Files.createDirectories(root.resolve("a/b/c"));
        Files.createDirectories(root.resolve("other"));
        Files.writeString(root.resolve("a/b/c/file"), "1");
        try (WatchedTree tree = new WatchedTree(root, WHOLE)) {
            tree.news();
            Files.move(root.resolve("a"), root.resolve("other/z"));
            assertThat(tree.news()).extracting(WatcherTest::text).contains("a absent MOVED_AWAY", "z MOVED_HERE",
                    "listed z", "listed b", "listed c");
            Files.writeString(root.resolve("other/z/b/c/file"), "22");
            assertThat(tree.news()).extracting(Fact::path).containsOnly(tree.path("other/z/b/c/file"));
            assertThat(tree.watcher.watched()).containsExactlyInAnyOrder(tree.root, tree.path("other"),
                    tree.path("other/z"), tree.path("other/z/b"), tree.path("other/z/b/c"));
            tree.assertPictureIsTrue();
        }
    }

    @Test
    void directory_whenMovedOut_isWatchedNoMore() throws Exception {
        Files.createDirectories(root.resolve("a/b/c"));
        try (WatchedTree tree = new WatchedTree(root, WHOLE)) {
            tree.news();
            Files.move(root.resolve("a"), outside.resolve("a"));
            assertThat(tree.news()).extracting(WatcherTest::text).containsExactly("a absent MOVED_AWAY");
            await().until(() -> tree.watcher.status().watched() == 1);
            Files.writeString(outside.resolve("a/b/file"), "1");
            assertThat(tree.news()).isEmpty();
            Files.move(outside.resolve("a"), root.resolve("again"));
            tree.assertPictureIsTrue();
            assertThat(tree.watcher.status().watched()).isEqualTo(4);
        }
    }

    @Test
    void directory_whenReplacedByAnother_isListedAnew() throws Exception {
        Files.createDirectories(root.resolve("a/old"));
        Files.createDirectories(outside.resolve("b/new"));
        try (WatchedTree tree = new WatchedTree(root, WHOLE)) {
            tree.news();
            CountDownLatch shut = tree.shut();
            Files.move(root.resolve("a"), outside.resolve("a"));
            Files.move(outside.resolve("b"), root.resolve("a"));
            Files.createDirectory(root.resolve("empty"));
            Files.createDirectory(root.resolve("full"));
            Files.writeString(root.resolve("full/file"), "1");
            // Over an empty one, which gets no event of its own.
            Files.move(root.resolve("full"), root.resolve("empty"),
                    StandardCopyOption.ATOMIC_MOVE);
            shut.countDown();
            tree.assertPictureIsTrue();
            Files.writeString(root.resolve("empty/later"), "1");
            tree.assertPictureIsTrue();
        }
    }

    @Test
    void directories_whenMadeFasterThanWatched_areSeenWithAllBelow() throws Exception {
        try (WatchedTree tree = new WatchedTree(root, WHOLE)) {
            tree.news();
            for (int i = 0; i < 100; i++) {
                Path deep = Files.createDirectories(root.resolve(i + "/a/b/c/d/e"));
                Files.writeString(deep.resolve("file"), "1");
            }
            tree.assertPictureIsTrue();
            assertThat(tree.watcher.status().watched()).isEqualTo(601);
        }
    }

    @Test
    void path_whenVeryDeep_isFollowed() throws Exception {
        try (WatchedTree tree = new WatchedTree(root, WHOLE)) {
            Path relative = Path.of("d".repeat(200));
            Path deep = root;
            for (int i = 0; i < 15; i++) {
                deep = deep.resolve(relative);
            }
            Files.createDirectories(deep);
            // Two halves put together are longer than the kernel takes as one path.
            Path second = Files.createDirectories(outside.resolve(root.relativize(deep)));
            Files.writeString(second.resolve("file"), "1");
            Files.move(outside.resolve(relative), deep.resolve("below"));
            tree.assertPictureIsTrue();
            assertThat(tree.watcher.status().watched()).isEqualTo(31);
        } finally {
            WatcherRandomTest.delete(root); // Java cannot.
        }
    }

    @Test
    void hardLink_comesAndGoes_withTheCountOfTheOtherName() throws Exception {
        Files.createDirectory(root.resolve("a"));
        Files.writeString(root.resolve("file"), "1");
        try (WatchedTree tree = new WatchedTree(root, WHOLE)) {
            tree.news();
            Files.createLink(root.resolve("a/second"), root.resolve("file"));
            assertThat(tree.news()).extracting(WatcherTest::text).containsExactly("second CREATED 1");
            tree.assertPictureIsTrue();
            Files.writeString(root.resolve("a/second"), "22");
            tree.assertPictureIsTrue();
            Files.delete(root.resolve("a/second"));
            tree.assertPictureIsTrue();
        }
    }

    @Test
    void overflow_whenConsumerIsBlocked_isARescanAndThePictureIsTrue() throws Exception {
        for (int i = 0; i < 20; i++) {
            Files.createDirectory(root.resolve("d" + i));
        }
        try (WatchedTree tree = new WatchedTree(root, WHOLE.withBuffer(1 << 16))) {
            tree.news();
            CountDownLatch shut = tree.shut();
            for (int i = 0; i < 20; i++) {
                for (int j = 0; j < 1000; j++) {
                    Files.createFile(root.resolve("d" + i + "/f" + j));
                }
            }
            shut.countDown();
            assertThat(tree.news()).contains(new Fact.Rescan(tree.root, Reason.OVERFLOW));
            assertThat(tree.watcher.status().overflows()).isPositive();
            tree.assertPictureIsTrue();
            assertThat(tree.mirror.size()).isEqualTo(20 * 1001);
            assertThat(tree.watcher.status().watched()).isEqualTo(21);
        }
    }

    @Test
    void limit_whenThereAreMoreDirectories_leavesTheRestAndSaysSo() throws Exception {
        for (int i = 0; i < 100; i++) {
            for (int j = 0; j < 9; j++) {
                Files.createDirectories(root.resolve("d" + i + "/" + j));
            }
        }
        try (WatchedTree tree = new WatchedTree(root, WHOLE.withLimit(10))) {
            List<Fact> facts = tree.news();
            assertThat(tree.watcher.status().watched()).isEqualTo(10);
            assertThat(facts.stream().filter(fact -> fact instanceof Fact.Listed)).hasSize(10);
            assertThat(facts.stream().filter(fact -> fact instanceof Fact.Rescan(BytePath _, Reason reason)
                    && reason == Reason.UNWATCHED)).hasSize(91 + 81);
            tree.assertPictureIsTrue();
            Files.createDirectories(outside.resolve("new/below"));
            Files.move(outside.resolve("new"), root.resolve("new"));
            assertThat(tree.news()).contains(new Fact.Rescan(tree.path("new"), Reason.UNWATCHED));
            Files.move(root.resolve("d17"), root.resolve("moved"));
            tree.assertPictureIsTrue();
        }
    }

    @Test
    void burst_ofCreations_losesNone() throws Exception {
        int files = 50_000;
        Path memory = Path.of("/dev/shm");
        Path place = Files.createTempDirectory(Files.isWritable(memory) ? memory : directory, "watch");
        try (WatchedTree tree = new WatchedTree(place, WHOLE)) {
            tree.news();
            for (int i = 0; i < files; i++) {
                Files.createFile(place.resolve("file" + i));
            }
            List<Fact> news = tree.news();
            if (tree.watcher.status().overflows() == 0) {
                assertThat(news.stream().map(Fact::path).distinct()).hasSize(files);
            } else { // the kernel keeps only so much for a reader who has no processor
                assertThat(news).contains(new Fact.Rescan(tree.root, Reason.OVERFLOW));
            }
            tree.assertPictureIsTrue();
        } finally {
            WatcherRandomTest.delete(place);
        }
    }

    @Test
    void named_whenWatchedAndUnwatched_isListedAndLeft() throws Exception {
        Files.createDirectories(root.resolve("a/b"));
        Files.createDirectories(root.resolve("c"));
        try (WatchedTree tree = new WatchedTree(root, Watcher.Settings.ofNamed())) {
            assertThat(tree.news()).extracting(WatcherTest::text).containsExactly("listed root");
            tree.watcher.watch(tree.path("a"));
            tree.watcher.watch(tree.path("a/b"));
            assertThat(tree.watcher.watched()).containsExactly(tree.root, tree.path("a"), tree.path("a/b"));
            assertThat(tree.news()).extracting(WatcherTest::text).containsExactly("listed a", "listed b");
            Files.writeString(root.resolve("c/file"), "1");
            assertThat(tree.news()).isEmpty();
            Files.createDirectories(root.resolve("a/new/below"));
            tree.news();
            assertThat(tree.watcher.watched()).contains(tree.path("a/new/below"));
            tree.watcher.unwatch(tree.path("a"));
            assertThat(tree.watcher.watched()).containsExactly(tree.root);
            assertThat(tree.news()).contains(new Fact.Rescan(tree.path("a"), Reason.UNWATCHED));
            tree.watcher.watch(tree.path("a/b")); // Its parent is not watched: it could be moved unseen.
            assertThat(tree.watcher.watched()).containsExactly(tree.root);
            assertThat(tree.news()).containsExactly(new Fact.Rescan(tree.path("a/b"), Reason.UNWATCHED));
        }
    }

    @Test
    void named_whenItCannotBeWatched_isToldOnce() throws Exception {
        Path mounted = Files.createDirectory(root.resolve("mounted"));
        Files.writeString(root.resolve("file"), "1");
        Files.createDirectory(root.resolve("secret"));
        Files.createDirectory(root.resolve("first"));
        Files.createDirectory(root.resolve("second"));
        assumeThat(Mounting.mount(mounted)).isTrue();
        try (WatchedTree tree = new WatchedTree(root, Watcher.Settings.ofNamed().withLimit(2),
                calls -> new Unreadable(calls, "/secret"))) {
            tree.news();
            for (String name : List.of("mounted", "gone", "file", "secret", "first", "second")) {
                tree.watcher.watch(tree.path(name));
            }
            assertThat(tree.watcher.watched()).containsExactly(tree.root, tree.path("first"));
            assertThat(tree.news()).extracting(WatcherTest::text).containsExactly("mounted rescan UNWATCHED",
                    "gone rescan UNWATCHED", "file rescan UNWATCHED", "secret rescan UNREADABLE", "listed first",
                    "second rescan UNWATCHED");
        } finally {
            Mounting.unmount(mounted);
        }
    }

    @Test
    void directory_whenUnreadable_isToldAndTriedAgainWhenItsAttributesChange() throws Exception {
        Files.createDirectories(root.resolve("secret/below"));
        Files.createDirectories(root.resolve("open"));
        Unreadable calls = new Unreadable(WatchedTree.CALLS, "/secret");
        try (WatchedTree tree = new WatchedTree(root, WHOLE, _ -> calls)) {
            assertThat(tree.news()).contains(new Fact.Rescan(tree.path("secret"), Reason.UNREADABLE));
            Files.writeString(root.resolve("open/file"), "1");
            assertThat(tree.news()).isNotEmpty();
            calls.heal();
            Files.setPosixFilePermissions(root.resolve("secret"), PosixFilePermissions.fromString("rwxr-xr-x"));
            tree.news();
            assertThat(tree.watcher.watched()).contains(tree.path("secret/below"));
        }
    }

    @Test
    void consumer_whenItThrows_endsTheWatcherWithAReason() throws Exception {
        RuntimeException trouble = new IllegalStateException("no more");
        try (Watcher watcher = Watcher.open(WatchedTree.CALLS, WatchedTree.CLOCK, BytePath.of(root.toRealPath()), WHOLE,
                _ -> {
                    throw trouble;
                })) {
            await().until(() -> watcher.status().failure().isPresent());
            assertThat(watcher.status().failure()).contains(trouble);
            assertThatThrownBy(watcher::flush).isInstanceOf(IllegalStateException.class).hasCause(trouble);
        }
    }

    @Test
    void close_whenConsumerIsBlocked_isPrompt() throws Exception {
        WatchedTree tree = new WatchedTree(root, WHOLE);
        tree.news();
        tree.shut();
        Files.createFile(root.resolve("file"));
        Thread closing = Thread.ofPlatform().start(tree::close);
        assertThat(closing.join(Duration.ofSeconds(3))).isTrue();
    }

    @Test
    void close_leavesNoDescriptorAndNoThread() throws Exception {
        Files.createDirectories(root.resolve("a/b"));
        openAndClose();
        long descriptors = descriptors();
        for (int i = 0; i < 30; i++) {
            openAndClose();
        }
        assertThat(descriptors()).isLessThanOrEqualTo(descriptors + 2);
        assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("watch"));
    }

    private void openAndClose() throws Exception {
        try (WatchedTree tree = new WatchedTree(root, WHOLE)) {
            Files.writeString(root.resolve("a/b/file"), "1");
            tree.news();
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    static String text(Fact fact) {
        String name = fact.path().name().orElseThrow().toString();
        return switch (fact) {
            case Fact.Present(BytePath _, Entry entry, Interval _, Cause cause) ->
                name + " " + cause + (entry.type() == FileType.FILE ? " " + entry.size() : "");
            case Fact.Absent absent -> name + " absent " + absent.cause();
            case Fact.Listed _ -> "listed " + name;
            case Fact.Rescan rescan -> name + " rescan " + rescan.reason();
        };
    }
}
