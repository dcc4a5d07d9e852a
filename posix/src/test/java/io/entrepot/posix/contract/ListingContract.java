package io.entrepot.posix.contract;

import static io.entrepot.posix.Freshness.CACHED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.entrepot.posix.Capability;
import io.entrepot.posix.Cursor;
import io.entrepot.posix.Directory;
import io.entrepot.posix.DirectoryReader;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import io.entrepot.posix.StatField;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listing directories. */
abstract class ListingContract extends CallsContract {
    private final DirectoryReader reader;

    ListingContract(FileCalls calls) {
        super(calls);
        reader = calls.newReader();
    }

    @AfterEach
    void closeReader() {
        reader.close();
    }

    private List<Name> names() throws IOException {
        List<Name> names = new ArrayList<>();
        Cursor cursor = reader.list(directory);
        while (cursor.next()) {
            names.add(cursor.name());
        }
        assertThat(cursor.next()).isFalse();
        return names;
    }

    @Test
    void list_whenEmpty_hasNothing() throws IOException {
        assertThat(names()).isEmpty();
    }

    @Test
    void list_ofEveryKind_saysWhatEachIs() throws IOException {
        write(A, "12345");
        directory.makeDirectory(B);
        Files.createSymbolicLink(path("link"), Path.of("b"));
        Set<String> seen = new HashSet<>();
        Cursor cursor = reader.list(directory);
        while (cursor.next()) {
            FileType type = cursor.type();
            assertThat(cursor.stat(CACHED)).isSameAs(Errno.NONE);
            assertThat(cursor.statType()).isSameAs(type);
            assertThat(cursor.inode()).isEqualTo(cursor.statInode())
                    .isEqualTo(directory.stat(cursor.name(), CACHED).inode());
            assertThat(cursor.device()).isEqualTo(directory.stat().device());
            assertThat(cursor.mtime()).isEqualTo(directory.stat(cursor.name(), CACHED).mtime());
            assertThat(cursor.ctime()).isEqualTo(directory.stat(cursor.name(), CACHED).ctime());
            assertThat(cursor.links()).isEqualTo(directory.stat(cursor.name(), CACHED).links());
            assertThat(cursor.mode()).isEqualTo(directory.stat(cursor.name(), CACHED).mode());
            seen.add(cursor.name() + " " + type + (type == FileType.FILE ? " " + cursor.size() : ""));
        }
        assertThat(seen).containsExactlyInAnyOrder("a FILE 5", "b DIRECTORY", "link SYMLINK");
    }

    @Test
    void list_ofNamesOfAllLengthsAndBytes_givesThemAsTheyAre() throws IOException {
        Set<Name> made = new HashSet<>();
        for (int length = 1; length <= 255; length++) {
            made.add(Name.of("n".repeat(length)));
        }
        made.add(Name.of(".hidden"));
        made.add(Name.of("..."));
        made.add(Name.of("two\nlines"));
        if (calls.can(Capability.RAW_NAMES)) {
            made.add(RAW);
            for (int b = 1; b < 256; b++) {
                if (b != '/' && b != '.') {
                    made.add(Name.of(new byte[]{(byte) b}));
                }
            }
        }
        for (Name name : made) {
            write(name, "");
        }
        Set<Name> seen = new HashSet<>();
        byte[] buffer = new byte[300];
        Cursor cursor = reader.list(directory);
        while (cursor.next()) {
            Name name = cursor.name();
            assertThat(seen.add(name)).isTrue();
            assertThat(cursor.nameLength()).isEqualTo(name.length());
            assertThat(cursor.copyName(buffer, 7)).isEqualTo(name.length());
            assertThat(name.contentEquals(buffer, 7, 7 + name.length())).isTrue();
            assertThat(cursor.compareName(buffer, 7, 7 + name.length())).isZero();
            assertThat(cursor.compareName(buffer, 7, 6 + name.length())).isPositive();
            assertThat(cursor.compareName(new byte[]{(byte) 0xff, (byte) 0xff}, 0, 2)).isNegative();
            assertThat(cursor.nameEquals(name)).isTrue();
            assertThat(cursor.nameEquals(Name.of("other"))).isFalse();
        }
        assertThat(seen).isEqualTo(made);
    }

    @Test
    void list_ofOneHundredThousandEntries_hasEachOnce() throws IOException {
        for (int i = 0; i < 100_000; i++) {
            Files.createFile(path("file-" + i));
        }
        List<Name> names = names();
        assertThat(names).hasSize(100_000);
        assertThat(new HashSet<>(names)).hasSize(100_000);
    }

    @Test
    void list_whileAnotherThreadDeletes_hasAllThatStay() throws Exception {
        for (int i = 0; i < 20_000; i++) {
            Files.createFile(path((i % 2 == 0 ? "stays-" : "goes-") + i));
        }
        CountDownLatch begun = new CountDownLatch(1);
        Thread deleter = Thread.ofPlatform().start(() -> {
            try {
                begun.await();
                for (int i = 1; i < 20_000; i += 2) {
                    Files.delete(path("goes-" + i));
                }
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        Set<Name> stayed = new HashSet<>();
        Cursor cursor = reader.list(directory);
        while (cursor.next()) {
            begun.countDown();
            boolean stays = cursor.name().toString().startsWith("stays-");
            assertThat(cursor.stat(CACHED)).isIn(Errno.NONE, stays ? Errno.NONE : Errno.ENOENT);
            if (stays) {
                assertThat(stayed.add(cursor.name())).isTrue();
            }
        }
        deleter.join();
        assertThat(stayed).hasSize(10_000);
        assertThat(names()).hasSize(10_000);
    }

    @Test
    void stat_whenTheEntryHasVanished_isAResultAndNoException() throws IOException {
        write(A, "");
        Cursor cursor = reader.list(directory);
        assertThat(cursor.next()).isTrue();
        directory.unlink(A);
        assertThat(cursor.stat(CACHED)).isSameAs(Errno.ENOENT);
        assertThatIllegalStateException().isThrownBy(cursor::size);
        assertThat(cursor.next()).isFalse();
    }

    @Test
    void list_whenTheDirectoryIsRemoved_isCutShortAndSaysSo() throws IOException {
        directory.makeDirectory(A);
        try (Directory opened = directory.open(A)) {
            directory.removeDirectory(A);
            assertThat(errno(() -> reader.list(opened).next())).isSameAs(Errno.ENOENT);
        }
    }

    @Test
    void next_afterAListingWasCutShort_neverLooksLikeItsEnd() throws IOException {
        directory.makeDirectory(A);
        Directory opened = directory.open(A);
        Files.createFile(path("a").resolve("x"));
        Cursor cursor = reader.list(opened);
        cursor.close();
        cursor.close();
        assertThatIllegalStateException().isThrownBy(cursor::next);
        assertThatIllegalStateException().isThrownBy(cursor::name);
        opened.close();
    }

    @Test
    void list_again_beginsFromTheFirstAndEndsTheOtherListing() throws IOException {
        write(A, "");
        write(B, "");
        Cursor first = reader.list(directory);
        assertThat(first.next()).isTrue();
        assertThat(names()).containsExactlyInAnyOrder(A, B);
        assertThatIllegalStateException().isThrownBy(first::next);
        assertThatIllegalStateException().isThrownBy(first::name);
        assertThat(names()).containsExactlyInAnyOrder(A, B);
        write(MISSING, "");
        assertThat(names()).containsExactlyInAnyOrder(A, B, MISSING);
    }

    @Test
    void next_whenTheDirectoryWasClosed_isRefused() throws IOException {
        for (int i = 0; i < 5_000; i++) {
            Files.createFile(path("file-" + i));
        }
        Directory opened = calls.openDirectory(workplace.bytes());
        Cursor cursor = reader.list(opened);
        assertThat(cursor.next()).isTrue();
        opened.close();
        assertThatIllegalStateException().isThrownBy(() -> {
            while (cursor.next()) {
                assertThat(cursor.stat(CACHED)).isSameAs(Errno.NONE);
            }
        });
        assertThatIllegalStateException().isThrownBy(cursor::next);
    }

    @Test
    void values_whenNotAskedFor_areRefused() throws IOException {
        write(A, "12345");
        try (Cursor notBegun = reader.list(directory)) {
            assertThatIllegalStateException().isThrownBy(notBegun::name);
        }
        try (DirectoryReader sizes = calls.newReader(EnumSet.of(StatField.SIZE, StatField.OWNER))) {
            Cursor cursor = sizes.list(directory);
            assertThat(cursor.next()).isTrue();
            assertThatIllegalStateException().isThrownBy(cursor::size);
            assertThat(cursor.stat(CACHED)).isSameAs(Errno.NONE);
            assertThat(cursor.size()).isEqualTo(5);
            assertThat(cursor.statType()).isSameAs(FileType.FILE);
            assertThat(cursor.uid()).isEqualTo(directory.stat(A, CACHED).uid());
            assertThat(cursor.gid()).isEqualTo(directory.stat(A, CACHED).gid());
            assertThatIllegalStateException().isThrownBy(cursor::mtime);
        }
    }

    @Test
    void list_whenTheReaderIsClosed_isRefused() throws IOException {
        write(A, "");
        Cursor cursor = reader.list(directory);
        reader.close();
        reader.close();
        assertThatIllegalStateException().isThrownBy(cursor::next);
        assertThatIllegalStateException().isThrownBy(() -> reader.list(directory));
    }
}
