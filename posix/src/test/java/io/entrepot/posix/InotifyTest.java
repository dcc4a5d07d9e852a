package io.entrepot.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.entrepot.posix.Inotify.Outcome;
import io.entrepot.posix.contract.Workplace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // A wait in the kernel cannot be interrupted.
class InotifyTest {
    private static final int ALL = Inotify.CREATE | Inotify.DELETE | Inotify.MOVED_FROM | Inotify.MOVED_TO
            | Inotify.CLOSE_WRITE | Inotify.DELETE_SELF;

    private final FileCalls calls = FileCalls.system();
    private final Notification notification = calls.notification().orElseThrow();
    private final InotifyEvents events = new InotifyEvents(64 * 1024);
    private Workplace workplace;
    private Inotify inotify;

    @BeforeEach
    void open() throws IOException {
        workplace = Workplace.inMemory();
        inotify = notification.open();
    }

    @AfterEach
    void close() throws IOException {
        inotify.close();
        workplace.close();
    }

    private Path path(String name) {
        return workplace.path().resolve(name);
    }

    private static Name raw() {
        return Name.of(new byte[]{(byte) 0xff, '\n'});
    }

    @Test
    void read_afterChanges_givesThemInOrder() throws IOException {
        int watch = inotify.add(workplace.bytes(), ALL);
        Files.writeString(path("a"), "x");
        Files.move(path("a"), path("b"));
        Files.createDirectory(path("d"));
        Files.createFile(workplace.bytes().resolve(raw()).toPath());
        assertThat(inotify.read(events)).isSameAs(Outcome.EVENTS);
        List<String> seen = new ArrayList<>();
        List<Integer> cookies = new ArrayList<>();
        byte[] buffer = new byte[256];
        while (events.next()) {
            assertThat(events.watch()).isEqualTo(watch);
            Name name = events.name().orElseThrow();
            assertThat(events.nameLength()).isEqualTo(name.length());
            assertThat(name.contentEquals(buffer, 0, events.copyName(buffer, 0))).isTrue();
            seen.add(Integer.toHexString(events.mask()) + " " + name);
            if (events.has(Inotify.MOVED_FROM | Inotify.MOVED_TO)) {
                cookies.add(events.cookie());
            }
        }
        assertThat(seen).startsWith("100 a", "8 a", "40 a", "80 b", "40000100 d", "100 \\xff\\x0a", "8 \\xff\\x0a");
        assertThat(cookies).hasSize(2).doesNotContain(0);
        assertThat(cookies.get(0)).isEqualTo(cookies.get(1));
        assertThatIllegalStateException().isThrownBy(events::mask);
    }

    @Test
    void add_ofAnOpenDirectory_watchesThatOneUnderAnyName() throws IOException {
        Files.createDirectory(path("d"));
        try (Directory directory = calls.openDirectory(workplace.bytes().resolve(Name.of("d")))) {
            Files.move(path("d"), path("e"));
            int watch = inotify.add(directory, ALL | Inotify.ONLYDIR | Inotify.DONT_FOLLOW);
            assertThat(inotify.add(workplace.bytes().resolve(Name.of("e")), ALL)).isEqualTo(watch);
        }
        Files.createFile(path("e").resolve("x"));
        assertThat(inotify.read(events)).isSameAs(Outcome.EVENTS);
        assertThat(events.next()).isTrue();
        assertThat(events.name()).contains(Name.of("x"));
    }

    @Test
    void add_whenThePathIsVeryLong_works() throws IOException {
        BytePath path = workplace.bytes();
        Directory at = calls.openDirectory(path);
        Name name = Name.of("d".repeat(250));
        for (int i = 0; i < 20; i++) {
            at.makeDirectory(name);
            Directory next = at.open(name);
            at.close();
            at = next;
            path = path.resolve(name);
        }
        inotify.add(path, ALL);
        at.makeDirectory(Name.of("x"));
        at.close();
        assertThat(inotify.read(events)).isSameAs(Outcome.EVENTS);
        assertThat(events.next()).isTrue();
        assertThat(events.name()).contains(Name.of("x"));
    }

    @Test
    void add_whenItCannotBeWatched_saysWhy() throws IOException {
        Files.createFile(path("file"));
        assertThatExceptionOfType(PosixException.class)
                .isThrownBy(() -> inotify.add(workplace.bytes().resolve(Name.of("missing")), ALL))
                .matches(e -> e.is(Errno.ENOENT));
        assertThatExceptionOfType(PosixException.class)
                .isThrownBy(() -> inotify.add(workplace.bytes().resolve(Name.of("file")), ALL | Inotify.ONLYDIR))
                .matches(e -> e.is(Errno.ENOTDIR));
        assertThatIllegalArgumentException().isThrownBy(() -> new InotifyEvents(100));
    }

    @Test
    void remove_ofAWatch_isSeenAsIgnored() throws IOException {
        int watch = inotify.add(workplace.bytes(), ALL);
        assertThat(inotify.remove(watch)).isTrue();
        assertThat(inotify.remove(watch)).isFalse();
        assertThat(inotify.read(events)).isSameAs(Outcome.EVENTS);
        assertThat(events.next()).isTrue();
        assertThat(events.has(Inotify.IGNORED)).isTrue();
        assertThat(events.watch()).isEqualTo(watch);
        assertThat(events.name()).isEmpty();
    }

    @Test
    void read_whenTheDirectoryIsGone_saysSoAndThatTheWatchIs() throws IOException {
        Files.createDirectory(path("d"));
        inotify.add(workplace.bytes().resolve(Name.of("d")), ALL);
        Files.delete(path("d"));
        assertThat(inotify.read(events)).isSameAs(Outcome.EVENTS);
        assertThat(events.next()).isTrue();
        assertThat(events.has(Inotify.DELETE_SELF)).isTrue();
        assertThat(events.next()).isTrue();
        assertThat(events.has(Inotify.IGNORED)).isTrue();
    }

    @Test
    void read_whenNobodyReadForTooLong_tellsOfTheOverflowLast() throws IOException {
        int most = notification.limits().events();
        inotify.add(workplace.bytes(), Inotify.CREATE | Inotify.DELETE);
        for (int i = 0; i <= most / 2 + 1; i++) {
            // Two different events each time: equal ones in a row are merged.
            Files.delete(Files.createFile(path("x")));
        }
        int count = 0;
        boolean overflow = false;
        while (!overflow) {
            assertThat(count).isLessThanOrEqualTo(most);
            assertThat(inotify.read(events)).isSameAs(Outcome.EVENTS);
            while (events.next()) {
                overflow = events.has(Inotify.Q_OVERFLOW);
                if (overflow) {
                    assertThat(events.watch()).isEqualTo(-1);
                } else {
                    count++;
                }
            }
        }
        assertThat(count).isEqualTo(most);
        Files.createFile(path("after"));
        assertThat(inotify.read(events)).isSameAs(Outcome.EVENTS);
        assertThat(events.next()).isTrue();
        assertThat(events.name()).contains(Name.of("after"));
    }

    @Test
    void read_whenEventsComeWhileItWaits_returns() throws Exception {
        inotify.add(workplace.bytes(), ALL);
        AtomicReference<Outcome> outcome = new AtomicReference<>();
        Thread reader = reading(outcome);
        Files.createDirectory(path("d"));
        reader.join();
        assertThat(outcome).hasValue(Outcome.EVENTS);
    }

    @Test
    void read_whenWoken_returnsOnce() throws Exception {
        AtomicReference<Outcome> outcome = new AtomicReference<>();
        Thread reader = reading(outcome);
        inotify.wake();
        reader.join();
        assertThat(outcome).hasValue(Outcome.WOKEN);
        inotify.wake();
        inotify.wake();
        assertThat(inotify.read(events)).isSameAs(Outcome.WOKEN);
        inotify.add(workplace.bytes(), ALL);
        Files.createDirectory(path("d"));
        assertThat(inotify.read(events)).isSameAs(Outcome.EVENTS);
    }

    @Test
    void close_whileAnotherThreadReads_endsTheReadingAndFreesTheDescriptors() throws Exception {
        long before = descriptors();
        for (int round = 0; round < 100; round++) {
            Inotify own = notification.open();
            AtomicReference<Outcome> outcome = new AtomicReference<>();
            CountDownLatch begun = new CountDownLatch(1);
            InotifyEvents buffer = new InotifyEvents(4096);
            Thread reader = Thread.ofPlatform().start(() -> {
                begun.countDown();
                try {
                    outcome.set(own.read(buffer));
                } catch (PosixException e) {
                    throw new AssertionError(e);
                }
            });
            begun.await();
            own.close();
            own.close();
            reader.join();
            assertThat(outcome).hasValue(Outcome.CLOSED);
            assertThat(own.read(buffer)).isSameAs(Outcome.CLOSED);
        }
        assertThat(descriptors()).isEqualTo(before);
    }

    @Test
    void use_afterClose_isRefused() {
        inotify.close();
        assertThatIllegalStateException().isThrownBy(() -> inotify.add(workplace.bytes(), ALL));
        assertThatIllegalStateException().isThrownBy(() -> inotify.remove(1));
        assertThatIllegalStateException().isThrownBy(inotify::wake);
    }

    /** Asked by another program: reading such a file by Java gives its first digit only. */
    @Test
    void limits_areThoseOfTheKernel() throws IOException {
        assertThat(notification.limits()).isEqualTo(new Notification.Limits(setting("max_user_watches"),
                setting("max_queued_events"), setting("max_user_instances")));
    }

    private static int setting(String name) throws IOException {
        Process cat = new ProcessBuilder("cat", "/proc/sys/fs/inotify/" + name).start();
        return Integer.parseInt(new String(cat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip());
    }

    private Thread reading(AtomicReference<Outcome> outcome) {
        return Thread.ofPlatform().start(() -> {
            try {
                outcome.set(inotify.read(events));
            } catch (PosixException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }
}
