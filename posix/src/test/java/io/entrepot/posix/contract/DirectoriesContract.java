package io.entrepot.posix.contract;

import static io.entrepot.posix.Freshness.CACHED;
import static io.entrepot.posix.Replacing.REPLACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Capability;
import io.entrepot.posix.Directory;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Name;
import io.entrepot.posix.Stat;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Open directories: what they stand for, how deep they may be, and what closing means. */
abstract class DirectoriesContract extends CallsContract {
    private static final Name LONG = Name.of("d".repeat(200));

    DirectoriesContract(FileCalls calls) {
        super(calls);
    }

    /** 60 levels of 200 bytes: three times what the kernel takes as one path. */
    private BytePath dig() throws IOException {
        FileCalls system = FileCalls.system();
        BytePath path = workplace.bytes();
        Directory at = system.openDirectory(path);
        for (int i = 0; i < 60; i++) {
            at.makeDirectory(LONG);
            Directory next = at.open(LONG);
            at.close();
            at = next;
            path = path.resolve(LONG);
        }
        at.create(A).close();
        at.close();
        return path;
    }

    @Test
    void openDirectory_whenThePathIsLongerThanTheKernelTakes_isGoneDownInSteps() throws IOException {
        BytePath deep = dig();
        if (!calls.can(Capability.LONG_PATHS)) {
            assertThat(errno(() -> calls.openDirectory(deep))).isSameAs(Errno.ENAMETOOLONG);
            return;
        }
        try (Directory opened = calls.openDirectory(deep)) {
            assertThat(opened.stat(A, CACHED).size()).isZero();
            assertThat(opened.path()).isEqualTo(deep);
            opened.openFile(A).close();
        }
        assertThat(errno(() -> calls.openDirectory(deep.resolve(A)))).isSameAs(Errno.ENOTDIR);
        assertThat(errno(() -> calls.openDirectory(deep.resolve(MISSING)))).isSameAs(Errno.ENOENT);
        assertThat(errno(() -> calls.openDirectory(deep.resolve(Name.of("x".repeat(9_000))))))
                .isSameAs(Errno.ENAMETOOLONG);
    }

    @Test
    void open_levelByLevel_goesAsDeepAsThereIs() throws IOException {
        BytePath deep = dig();
        if (!calls.can(Capability.LONG_PATHS)) {
            assertThat(errno(() -> calls.openDirectory(deep))).isSameAs(Errno.ENAMETOOLONG);
            return;
        }
        Directory at = calls.openDirectory(workplace.bytes());
        for (int i = 0; i < 60; i++) {
            Directory next = at.open(LONG);
            at.close();
            at = next;
        }
        assertThat(at.path()).isEqualTo(deep);
        at.close();
    }

    @Test
    void directory_whenRenamedWhileOpen_isStillTheSame() throws IOException {
        directory.makeDirectory(A);
        try (Directory opened = directory.open(A)) {
            Stat before = opened.stat();
            directory.rename(A, directory, B, REPLACE);
            if (calls.can(Capability.HELD_DIRECTORIES)) {
                assertThat(opened.stat().isSameFile(before)).isTrue();
                opened.create(MISSING).close();
                assertThat(path("b").resolve("missing")).exists();
            } else {
                assertThat(errno(opened::stat)).isSameAs(Errno.ENOENT);
            }
        }
    }

    @Test
    void directory_whenRemovedWhileOpen_takesNothingNew() throws IOException {
        directory.makeDirectory(A);
        try (Directory opened = directory.open(A)) {
            directory.removeDirectory(A);
            assertThat(errno(() -> opened.create(B))).isSameAs(Errno.ENOENT);
            assertThat(errno(() -> opened.stat(B, CACHED))).isSameAs(Errno.ENOENT);
            assertThat(errno(() -> opened.makeDirectory(B))).isSameAs(Errno.ENOENT);
        }
    }

    @Test
    void use_afterClose_isRefused() throws IOException {
        Directory opened = calls.openDirectory(workplace.bytes());
        assertThat(opened.isOpen()).isTrue();
        opened.close();
        opened.close();
        assertThat(opened.isOpen()).isFalse();
        assertThatIllegalStateException().isThrownBy(opened::stat).withMessageContaining(workplace.path().toString());
        assertThatIllegalStateException().isThrownBy(() -> opened.stat(A, CACHED));
        assertThatIllegalStateException().isThrownBy(() -> opened.open(A));
        assertThatIllegalStateException().isThrownBy(() -> opened.create(A));
        assertThatIllegalStateException().isThrownBy(() -> opened.rename(A, directory, B, REPLACE));
        assertThatIllegalStateException().isThrownBy(() -> directory.rename(A, opened, B, REPLACE));
        assertThatIllegalStateException().isThrownBy(opened::sync);
        assertThatIllegalStateException().isThrownBy(() -> calls.newReader().list(opened));
    }

    /** Descriptors are used again at once, so a late call would see another directory. */
    @Test
    void use_whileOthersCloseAndOpen_neverSeesAnotherDirectory() throws Exception {
        directory.makeDirectory(A);
        directory.makeDirectory(B);
        long inode = directory.stat(A, CACHED).inode();
        AtomicReference<Throwable> wrong = new AtomicReference<>();
        for (int round = 0; round < 300; round++) {
            Directory opened = directory.open(A);
            Thread user = Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        long seen = opened.stat().inode();
                        if (seen != inode) {
                            throw new AssertionError("saw " + seen);
                        }
                    }
                } catch (IllegalStateException e) {
                    // closed, as it should be
                } catch (Throwable e) {
                    wrong.set(e);
                }
            });
            opened.close();
            Directory next = directory.open(B);
            user.join();
            next.close();
        }
        assertThat(wrong.get()).isNull();
    }
}
