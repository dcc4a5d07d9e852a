package io.entrepot.posix.contract;

import static io.entrepot.posix.Freshness.CACHED;
import static io.entrepot.posix.Freshness.UNCACHED;
import static io.entrepot.posix.Replacing.NO_REPLACE;
import static io.entrepot.posix.Replacing.REPLACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.entrepot.posix.Capability;
import io.entrepot.posix.Directory;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Stat;
import io.entrepot.posix.WholeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Looking at entries, making them, moving them, removing them. */
abstract class EntriesContract extends CallsContract {

    EntriesContract(FileCalls calls) {
        super(calls);
    }

    @Test
    void create_whenNew_canBeWrittenAndRead() throws IOException {
        write(A, "hello");
        assertThat(read(A)).isEqualTo("hello");
        assertThat(Files.readString(path("a"))).isEqualTo("hello");
    }

    @Test
    void create_whenThereIsAnything_isRefused() throws IOException {
        write(A, "");
        directory.makeDirectory(B);
        Files.createSymbolicLink(path("c"), Path.of("nowhere"));
        assertThat(errno(() -> directory.create(A))).isSameAs(Errno.EEXIST);
        assertThat(errno(() -> directory.create(B))).isSameAs(Errno.EEXIST);
        assertThat(errno(() -> directory.create(Name.of("c")))).isSameAs(Errno.EEXIST);
        assertThat(Files.exists(path("nowhere"))).isFalse();
    }

    @Test
    void openFile_whenNotARegularFile_isRefusedAndNotOpened() throws Exception {
        write(A, "secret");
        Files.createSymbolicLink(path("link"), Path.of("a"));
        directory.makeDirectory(B);
        Process mkfifo = new ProcessBuilder("mkfifo", path("pipe").toString()).start();
        assertThat(mkfifo.waitFor()).isZero();
        assertThat(errno(() -> directory.openFile(MISSING))).isSameAs(Errno.ENOENT);
        assertThat(errno(() -> directory.openFile(Name.of("link")))).isSameAs(Errno.ELOOP);
        assertThat(errno(() -> directory.openFile(B))).isSameAs(Errno.EISDIR);
        // Opening a pipe that nobody writes to would wait forever.
        assertThat(errno(() -> directory.openFile(Name.of("pipe")))).isSameAs(Errno.EINVAL);
        assertThat(errno(() -> directory.readWhole(MISSING, 10))).isSameAs(Errno.ENOENT);
        assertThat(errno(() -> directory.readWhole(Name.of("link"), 10))).isSameAs(Errno.ELOOP);
        assertThat(errno(() -> directory.readWhole(B, 10_000))).isSameAs(Errno.EISDIR);
        assertThat(errno(() -> directory.readWhole(Name.of("pipe"), 10))).isSameAs(Errno.EINVAL);
    }

    @Test
    void find_whetherOrNotThereIsOne_saysSo() throws IOException {
        write(A, "hello");
        assertThat(directory.find(A, UNCACHED)).contains(directory.stat(A, UNCACHED));
        assertThat(directory.find(MISSING, UNCACHED)).isEmpty();
        Name tooLong = Name.of("x".repeat(300));
        assertThat(errno(() -> directory.find(tooLong, CACHED))).isSameAs(Errno.ENAMETOOLONG);
    }

    @Test
    void openToWrite_whenThereIsAFile_changesItInPlace() throws IOException {
        write(A, "hello");
        Files.createSymbolicLink(path("link"), Path.of("a"));
        try (FileChannel channel = directory.openToWrite(A)) {
            assertThat(channel.size()).isEqualTo(5);
            channel.write(ByteBuffer.wrap(new byte[]{'!'}), 5);
            ByteBuffer start = ByteBuffer.allocate(1);
            channel.read(start, 0);
            assertThat(start.get(0)).isEqualTo((byte) 'h');
        }
        assertThat(read(A)).isEqualTo("hello!");
        assertThat(errno(() -> directory.openToWrite(MISSING))).isSameAs(Errno.ENOENT);
        assertThat(errno(() -> directory.openToWrite(Name.of("link")))).isSameAs(Errno.ELOOP);
    }

    @Test
    void create_whenAModeIsGiven_givesNoMore() throws IOException {
        directory.create(A, 0600).close();
        directory.makeDirectory(B, 0700);
        assertThat(directory.stat(A, CACHED).mode()).isEqualTo(0600);
        assertThat(directory.stat(B, CACHED).mode()).isEqualTo(0700);
    }

    @Test
    void createWhole_fromAnyBuffer_isAllThere() throws IOException {
        byte[] large = new byte[200_000];
        new Random(1).nextBytes(large);
        ByteBuffer heap = ByteBuffer.wrap(large).position(10);
        ByteBuffer direct = ByteBuffer.allocateDirect(large.length).put(large).flip().position(10);
        int number = 0;
        for (ByteBuffer content : List.of(heap, heap.asReadOnlyBuffer(), direct, direct.slice().position(0),
                ByteBuffer.wrap(large, 50, 0))) {
            Name name = Name.of("n" + number++);
            byte[] expected = new byte[content.remaining()];
            content.duplicate().get(expected);
            directory.createWhole(name, 0600, content, Map.of("one", new byte[]{1}, "two", new byte[0]), number > 2);
            assertThat(content.remaining()).isEqualTo(expected.length);
            assertThat(Files.readAllBytes(path(name.toString()))).isEqualTo(expected);
            assertThat(directory.stat(name, CACHED).mode()).isEqualTo(0600);
            assertThat(directory.attribute(name, "one")).hasValueSatisfying(v -> assertThat(v).containsExactly(1));
            assertThat(directory.attribute(name, "two")).hasValueSatisfying(v -> assertThat(v).isEmpty());
        }
    }

    @Test
    void createWhole_whenItFails_leavesWhatWasThere() throws IOException {
        write(A, "mine");
        assertThat(errno(() -> directory.createWhole(A, 0600, ByteBuffer.allocate(1), Map.of(), false)))
                .isSameAs(Errno.EEXIST);
        assertThat(read(A)).isEqualTo("mine");
        // The attribute is too long for any file system, and comes last.
        assertThat(errno(() -> directory.createWhole(B, 0600, ByteBuffer.allocate(1), Map.of("x", new byte[1 << 20]),
                false))).isNotSameAs(Errno.NONE);
        assertThat(path("b")).doesNotExist();
    }

    @Test
    void createInPlace_untilItIsWhole_isMarked() throws IOException {
        assumeTrue(calls.can(Capability.MARKED_FILES));
        ByteBuffer content = ByteBuffer.wrap("content".getBytes(StandardCharsets.UTF_8));
        boolean made = directory.createInPlace(A, 0600, content, Map.of("one", new byte[]{1}), () -> {
            assertThat(stat(A).isUnfinished()).isTrue();
            assertThat(stat(A).size()).isEqualTo(7);
            return true;
        });
        assertThat(made).isTrue();
        assertThat(stat(A).isUnfinished()).isFalse();
        assertThat(stat(A).mode()).isEqualTo(0600);
        assertThat(content.remaining()).isEqualTo(7);
        assertThat(read(A)).isEqualTo("content");
        assertThat(directory.attribute(A, "one")).isPresent();
    }

    @Test
    void createInPlace_whenItIsNotWantedOrFails_leavesWhatWasThere() throws IOException {
        assumeTrue(calls.can(Capability.MARKED_FILES));
        assertThat(directory.createInPlace(A, 0600, ByteBuffer.allocate(1), Map.of(), () -> false)).isFalse();
        assertThat(path("a")).doesNotExist();
        write(A, "mine");
        assertThat(errno(() -> directory.createInPlace(A, 0600, ByteBuffer.allocate(1), Map.of(), () -> true)))
                .isSameAs(Errno.EEXIST);
        assertThat(read(A)).isEqualTo("mine");
        assertThat(errno(() -> directory.createInPlace(B, 0600, ByteBuffer.allocate(1),
                Map.of("x", new byte[1 << 20]), () -> true))).isNotSameAs(Errno.NONE);
        assertThat(path("b")).doesNotExist();
    }

    /** As when a call comes back that hung. */
    @Test
    void createInPlace_whenTheNameIsAnothersMeanwhile_leavesThat() throws IOException {
        assumeTrue(calls.can(Capability.MARKED_FILES));
        assertThat(directory.createInPlace(A, 0600, ByteBuffer.allocate(1), Map.of(), () -> {
            try {
                directory.unlink(A);
                write(A, "another");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return false;
        })).isFalse();
        assertThat(read(A)).isEqualTo("another");
    }

    private Stat stat(Name name) {
        try {
            return directory.stat(name, CACHED);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void readWhole_whateverItsLength_isAllThereOrNothing() throws IOException {
        byte[] content = new byte[150_000];
        new Random(1).nextBytes(content);
        for (int length : new int[]{0, 1, 65_536, 65_537, content.length}) {
            Files.write(path("a"), Arrays.copyOf(content, length));
            WholeFile file = directory.readWhole(A, length).orElseThrow();
            assertThat(file.bytes()).isEqualTo(Arrays.copyOf(content, length));
            assertThat(file.isUnchanged()).isTrue();
            assertThat(file.before()).isEqualTo(directory.stat(A, CACHED));
            assertThat(length == 0 || directory.readWhole(A, length - 1).isEmpty()).as("longer than wanted").isTrue();
        }
    }

    @Test
    void openFile_whenTheNameIsGoneAfterwards_stillReadsThatFile() throws IOException {
        write(A, "first");
        try (FileChannel channel = directory.openFile(A)) {
            directory.unlink(A);
            write(A, "second!");
            assertThat(channel.size()).isEqualTo(5);
        }
    }

    @Test
    void open_whenNotADirectory_saysWhy() throws IOException {
        write(A, "");
        Files.createSymbolicLink(path("link"), workplace.path());
        assertThat(errno(() -> directory.open(A))).isSameAs(Errno.ENOTDIR);
        assertThat(errno(() -> directory.open(Name.of("link")))).isSameAs(Errno.ELOOP);
        assertThat(errno(() -> directory.open(MISSING))).isSameAs(Errno.ENOENT);
        assertThat(errno(() -> calls.openDirectory(workplace.bytes().resolve(A)))).isSameAs(Errno.ENOTDIR);
        assertThat(errno(() -> calls.openDirectory(workplace.bytes().resolve(Name.of("link"))))).isSameAs(Errno.ELOOP);
        // Java takes a file on the way for a missing directory.
        assertThat(errno(() -> calls.openDirectory(workplace.bytes().resolve(A).resolve(B)))).isIn(Errno.ENOTDIR,
                Errno.ENOENT);
        assertThat(errno(() -> calls.openDirectory(workplace.bytes().resolve(MISSING)))).isSameAs(Errno.ENOENT);
    }

    @Test
    void openDirectory_whenALinkIsOnTheWay_isFollowed() throws IOException {
        directory.makeDirectory(A);
        Files.createSymbolicLink(path("link"), workplace.path());
        try (Directory opened = calls.openDirectory(workplace.bytes().resolve(Name.of("link")).resolve(A))) {
            assertThat(opened.stat().isSameFile(directory.stat(A, CACHED))).isTrue();
        }
    }

    @Test
    void openDirectory_whenSymlinksGoInCircles_isELOOP() throws IOException {
        Files.createSymbolicLink(path("one"), Path.of("two"));
        Files.createSymbolicLink(path("two"), Path.of("one"));
        assertThat(errno(() -> calls.openDirectory(workplace.bytes().resolve(Name.of("one")).resolve(A))))
                .isSameAs(Errno.ELOOP);
    }

    @Test
    void stat_whateverItIs_saysWhatJavaSays() throws IOException {
        write(A, "12345");
        directory.makeDirectory(B);
        Files.createSymbolicLink(path("link"), Path.of("nowhere"));
        directory.link(A, directory, Name.of("second"));
        Stat file = directory.stat(A, UNCACHED);
        assertThat(file.type()).isSameAs(FileType.FILE);
        assertThat(file.size()).isEqualTo(5);
        assertThat(file.links()).isEqualTo(2);
        assertThat(file.isSameFile(directory.stat(Name.of("second"), CACHED))).isTrue();
        assertThat(file.inode()).isEqualTo(Files.getAttribute(path("a"), "unix:ino"));
        assertThat(file.device()).isEqualTo(Files.getAttribute(path("a"), "unix:dev"));
        assertThat(file.mode()).isEqualTo((Integer) Files.getAttribute(path("a"), "unix:mode") & 0xfff);
        assertThat(file.uid()).isEqualTo(Files.getAttribute(path("a"), "unix:uid"));
        Instant changed = ((FileTime) Files.getAttribute(path("a"), "unix:ctime")).toInstant();
        assertThat(file.ctime()).isEqualTo(changed.getEpochSecond() * 1_000_000_000L + changed.getNano());
        assertThat(directory.stat(B, CACHED).type()).isSameAs(FileType.DIRECTORY);
        assertThat(directory.stat(Name.of("link"), CACHED).type()).isSameAs(FileType.SYMLINK);
        assertThat(directory.stat().isSameFile(directory.stat(B, CACHED))).isFalse();
        assertThat(directory.stat().type()).isSameAs(FileType.DIRECTORY);
        assertThat(directory.stat().mountId().isPresent()).isEqualTo(calls.can(Capability.MOUNT_IDS));
        assertThat(errno(() -> directory.stat(MISSING, CACHED))).isSameAs(Errno.ENOENT);
    }

    /** Set by another program: Java itself would put some of them right. */
    @Test
    void stat_whenTheTimeIsAbsurd_isTheNearestThatFits() throws Exception {
        write(A, "");
        touch("0001-01-01 UTC");
        assertThat(directory.stat(A, CACHED).mtime()).isEqualTo(Long.MIN_VALUE);
        touch("@-9223372036854775808");
        assertThat(directory.stat(A, CACHED).mtime()).isEqualTo(Long.MIN_VALUE);
        touch("@9223372036854775807"); // the year 292,277,026,596
        assertThat(directory.stat(A, CACHED).mtime()).isEqualTo(Long.MAX_VALUE);
        touch("2300-01-01 UTC");
        assertThat(directory.stat(A, CACHED).mtime()).isEqualTo(Long.MAX_VALUE);
        touch("1969-12-31 23:59:59.5 UTC");
        assertThat(directory.stat(A, CACHED).mtime()).isEqualTo(-500_000_000L);
    }

    private void touch(String time) throws Exception {
        assertThat(new ProcessBuilder("touch", "-d", time, path("a").toString()).inheritIO().start().waitFor())
                .isZero();
    }

    @Test
    void rename_whenToldToReplace_replaces() throws IOException {
        write(A, "new");
        directory.makeDirectory(B);
        try (Directory target = directory.open(B)) {
            Files.writeString(path("b").resolve("x"), "old");
            directory.rename(A, target, Name.of("x"), REPLACE);
        }
        assertThat(Files.readString(path("b").resolve("x"))).isEqualTo("new");
        assertThat(Files.exists(path("a"))).isFalse();
        assertThat(errno(() -> directory.rename(A, directory, B, REPLACE))).isSameAs(Errno.ENOENT);
    }

    @Test
    void rename_whenToldNotToReplace_neverDoes() throws IOException {
        write(A, "mine");
        write(B, "theirs");
        assertThat(errno(() -> directory.rename(A, directory, B, NO_REPLACE)))
                .isSameAs(calls.can(Capability.NO_REPLACE) ? Errno.EEXIST : Errno.ENOTSUP);
        assertThat(read(B)).isEqualTo("theirs");
        assertThat(read(A)).isEqualTo("mine");
        if (calls.can(Capability.NO_REPLACE)) {
            directory.rename(A, directory, Name.of("free"), NO_REPLACE);
            assertThat(read(Name.of("free"))).isEqualTo("mine");
            directory.makeDirectory(A);
            try (Directory inside = directory.open(A)) {
                assertThat(errno(() -> directory.rename(A, inside, B, NO_REPLACE))).isSameAs(Errno.EINVAL);
            }
        }
    }

    @Test
    void remove_whenItIsTheOtherKind_isRefused() throws IOException {
        write(A, "");
        directory.makeDirectory(B);
        Files.writeString(path("b").resolve("x"), "");
        assertThat(errno(() -> directory.unlink(B))).isSameAs(Errno.EISDIR);
        assertThat(errno(() -> directory.removeDirectory(A))).isSameAs(Errno.ENOTDIR);
        assertThat(errno(() -> directory.removeDirectory(B))).isSameAs(Errno.ENOTEMPTY);
        assertThat(errno(() -> directory.makeDirectory(A))).isSameAs(Errno.EEXIST);
        assertThat(errno(() -> directory.unlink(MISSING))).isSameAs(Errno.ENOENT);
        Files.delete(path("b").resolve("x"));
        directory.removeDirectory(B);
        directory.unlink(A);
        assertThat(path("a").toFile()).doesNotExist();
        assertThat(path("b").toFile()).doesNotExist();
    }

    @Test
    void unlink_whenSymlink_removesTheLink() throws IOException {
        write(A, "stays");
        Files.createSymbolicLink(path("link"), Path.of("a"));
        directory.unlink(Name.of("link"));
        assertThat(Files.exists(path("link"), LinkOption.NOFOLLOW_LINKS)).isFalse();
        assertThat(read(A)).isEqualTo("stays");
    }

    @Test
    void link_whenTheNameIsTaken_isRefused() throws IOException {
        write(A, "");
        write(B, "");
        assertThat(errno(() -> directory.link(A, directory, B))).isSameAs(Errno.EEXIST);
        assertThat(errno(() -> directory.link(MISSING, directory, Name.of("c")))).isSameAs(Errno.ENOENT);
    }

    @Test
    void names_whenTooLong_areRefusedByThatName() {
        for (int length : new int[]{256, 4095, 4096, 5000}) {
            Name name = Name.of("x".repeat(length));
            assertThat(errno(() -> directory.stat(name, CACHED))).isSameAs(Errno.ENAMETOOLONG);
            assertThat(errno(() -> directory.create(name))).isSameAs(Errno.ENAMETOOLONG);
            assertThat(errno(() -> directory.open(name))).isSameAs(Errno.ENAMETOOLONG);
            assertThat(errno(() -> calls.openDirectory(workplace.bytes().resolve(name)))).isSameAs(Errno.ENAMETOOLONG);
        }
    }

    @Test
    void names_whenAsLongAsCanBe_work() throws IOException {
        Name name = Name.of("x".repeat(255));
        write(name, "long");
        assertThat(read(name)).isEqualTo("long");
    }

    @Test
    void names_whenNotText_canBeUsedLikeOthers() throws IOException {
        if (!calls.can(Capability.RAW_NAMES)) {
            assertThat(errno(() -> directory.create(RAW))).isNotSameAs(Errno.NONE);
            return;
        }
        write(RAW, "raw");
        Name other = Name.of(new byte[]{(byte) 0x80});
        directory.rename(RAW, directory, other, REPLACE);
        assertThat(read(other)).isEqualTo("raw");
        directory.link(other, directory, RAW);
        assertThat(directory.stat(RAW, CACHED).links()).isEqualTo(2);
        directory.unlink(other);
        directory.makeDirectory(other);
        try (Directory opened = directory.open(other)) {
            assertThat(opened.path()).hasToString(workplace.path() + "/\\x80");
            assertThat(opened.stat().isSameFile(directory.stat(other, CACHED))).isTrue();
        }
    }

    @Test
    void message_ofAnError_saysWhatAndWhereInPlainWords() {
        assertThat(catchThrowableOfType(PosixException.class,
                () -> directory.stat(RAW, CACHED)))
                .hasMessage("stat " + workplace.path() + "/r\\xff\\xfe\\x0a : no such file or directory (ENOENT)");
    }

    @Test
    void sync_ofDirectoryAndFileSystem_isDoneOrRefused() throws IOException {
        directory.sync();
        assertThat(errno(directory::syncFileSystem))
                .isSameAs(calls.can(Capability.SYNC_FILE_SYSTEM) ? Errno.NONE : Errno.ENOTSUP);
    }
}
