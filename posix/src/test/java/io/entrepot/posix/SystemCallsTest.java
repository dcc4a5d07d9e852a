package io.entrepot.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.entrepot.posix.contract.Workplace;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What only Linux's own calls promise. */
@EnabledOnOs(OS.LINUX)
class SystemCallsTest {
    private static final Name A = Name.of("a");
    private static final Name B = Name.of("b");

    private final FileCalls calls = FileCalls.system();
    private Workplace workplace;

    @BeforeEach
    void open() throws IOException {
        workplace = Workplace.inMemory();
    }

    @AfterEach
    void close() throws IOException {
        workplace.close();
    }

    /** If this fails the whole contract above was run on the wrong form. */
    @Test
    void system_onLinux_canDoEverything() {
        assertThat(calls.capabilities()).isEqualTo(EnumSet.allOf(Capability.class));
        assertThat(FileCalls.nio().can(Capability.SYNC_FILE_SYSTEM)).isFalse();
        assertThat(FileCalls.nio().notification()).isEmpty();
    }

    @Test
    void descriptors_whateverFails_areAllClosed() throws IOException {
        Path file = Files.createFile(workplace.path().resolve("a"));
        Files.createDirectory(workplace.path().resolve("b"));
        Files.createSymbolicLink(workplace.path().resolve("link"), file);
        BytePath deep = workplace.bytes();
        for (int i = 0; i < 50; i++) {
            deep = deep.resolve(Name.of("x".repeat(200)));
        }
        BytePath tooDeep = deep;
        useAndFail(tooDeep);
        long before = descriptors();
        for (int i = 0; i < 50; i++) {
            useAndFail(tooDeep);
        }
        assertThat(descriptors()).isEqualTo(before);
    }

    private void useAndFail(BytePath tooDeep) throws IOException {
        try (Directory directory = calls.openDirectory(workplace.bytes()); DirectoryReader reader = calls.newReader()) {
            fails(() -> directory.open(A));
            fails(() -> directory.open(Name.of("link")));
            fails(() -> directory.open(Name.of("missing")));
            fails(() -> directory.openFile(B));
            fails(() -> directory.openFile(Name.of("link")));
            fails(() -> directory.create(A));
            fails(() -> calls.openDirectory(tooDeep));
            fails(() -> calls.openDirectory(workplace.bytes().resolve(A)));
            directory.openFile(A).close();
            try (FileChannel channel = directory.create(Name.of("new"))) {
                assertThat(channel.size()).isZero();
            }
            directory.unlink(Name.of("new"));
            Cursor cursor = reader.list(directory);
            assertThat(cursor.next()).isTrue();
            Directory removed = directory.open(B);
            assertThat(reader.list(removed).next()).isFalse();
            reader.list(removed);
            removed.close();
            fails(() -> directory.attribute(Name.of("missing"), "x"));
            try (Inotify inotify = calls.notification().orElseThrow().open()) {
                fails(() -> inotify.add(tooDeep, Inotify.CREATE));
                fails(() -> inotify.add(workplace.bytes().resolve(Name.of("missing")), Inotify.CREATE));
            }
        }
    }

    private static void fails(ThrowingCallable call) {
        assertThatExceptionOfType(PosixException.class).isThrownBy(call);
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    @Test
    void list_whenAlreadyBeingListed_isRefusedUntilThatEnds() throws IOException {
        Files.createFile(workplace.path().resolve("a"));
        try (Directory directory = calls.openDirectory(workplace.bytes());
                DirectoryReader one = calls.newReader();
                DirectoryReader two = calls.newReader()) {
            Cursor cursor = one.list(directory);
            assertThatIllegalStateException().isThrownBy(() -> two.list(directory)).withMessageContaining("already");
            cursor.close();
            assertThat(two.list(directory).next()).isTrue();
        }
    }

    @Test
    void list_ofADirectoryOfTheOtherForm_isRefused() throws IOException {
        try (Directory plain = FileCalls.nio().openDirectory(workplace.bytes());
                DirectoryReader reader = calls.newReader()) {
            assertThatIllegalArgumentException().isThrownBy(() -> reader.list(plain));
        }
    }

    @Test
    void calls_fromVirtualThreads_work() throws Exception {
        Files.createFile(workplace.path().resolve("a"));
        try (Directory directory = calls.openDirectory(workplace.bytes())) {
            Stat here = directory.stat(A, Freshness.CACHED);
            Stat[] there = new Stat[1];
            Thread.ofVirtual().start(() -> {
                try {
                    there[0] = directory.stat(A, Freshness.CACHED);
                } catch (PosixException e) {
                    throw new AssertionError(e);
                }
            }).join();
            assertThat(there[0]).isEqualTo(here);
        }
    }

    @Test
    void both_lookingAtTheSame_seeTheSame() throws IOException {
        Files.writeString(workplace.path().resolve("a"), "12345");
        try (Directory linux = calls.openDirectory(workplace.bytes());
                Directory nio = FileCalls.nio().openDirectory(workplace.bytes())) {
            Stat one = linux.stat(A, Freshness.UNCACHED);
            Stat two = nio.stat(A, Freshness.UNCACHED);
            assertThat(two).usingRecursiveComparison().ignoringFields("mountId", "birth").isEqualTo(one);
        }
    }
}
