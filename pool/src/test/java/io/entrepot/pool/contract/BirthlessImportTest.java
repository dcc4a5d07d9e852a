package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.watch.PostImport;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Capability;
import io.entrepot.posix.Cursor;
import io.entrepot.posix.Directory;
import io.entrepot.posix.DirectoryReader;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Mount;
import io.entrepot.posix.Notification;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Stat;
import io.entrepot.posix.StatField;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Where a file system does not keep when a file was made, as NFS 3: the number of an inode is given to the next file at once, and
 * whoever sends files sets their times.
 */
class BirthlessImportTest extends WatchFolder {
    private static final FileTime LONG_AGO = FileTime.from(Instant.parse("1999-12-31T00:00:00Z"));

    BirthlessImportTest() {
        super(PoolFixture.SQLITE);
    }

    @Override
    FileCalls calls() {
        return new DeafCalls(new Birthless());
    }

    @Test
    void import_whenAnotherFileGetsTheInode_isNotTakenForTheOneBefore() throws Exception {
        pool.watchers().add(spec());
        Path first = put("a.txt", "first");
        Files.setLastModifiedTime(first, LONG_AGO);
        Object inode = Files.getAttribute(first, "unix:ino");
        assertThat(scan()).isEqualTo(1);
        Path other = outside.resolve("none");
        for (int i = 0; i < 200 && !(Files.exists(other)
                && inode.equals(Files.getAttribute(other, "unix:ino"))); i++) {
            other = Files.writeString(outside.resolve("try-" + i), "other");
        }
        assumeThat(Files.getAttribute(other, "unix:ino")).isEqualTo(inode);
        Files.setLastModifiedTime(other, LONG_AGO);
        Files.move(other, folder.resolve("b.txt"));

        scan();

        assertThat(contents(ACME)).containsExactly("first", "other");
        assertThat(left(folder)).isEmpty();
    }

    @Test
    void keep_whenRightsChange_isStillKnown() throws Exception {
        pool.watchers().add(spec().withPostImport(new PostImport.Keep()));
        Path source = put("a.txt", "once");
        assertThat(scan()).isEqualTo(1);
        Files.setPosixFilePermissions(source, PosixFilePermissions.fromString("rw-r-----"));

        assertThat(scan()).isZero();
        Files.writeString(source, "twice");
        assertThat(scan()).isEqualTo(1);
    }

    /** Where a rename could replace something, a file gets its private name as a second one first. */
    @Test
    void import_whenItDiesWhileTheSourceHasBothNames_isNotRepeated() throws Exception {
        for (PostImport after : java.util.List.of(new PostImport.Delete(),
                new PostImport.Move(outside.resolve("done")))) {
            pool.watchers().add(spec().withPostImport(after));
            Path source = put("a.txt", "once");
            faults = point -> {
                if (point == PoolFaults.Point.IMPORT_RECORDED) {
                    throw new IllegalStateException("cut short");
                }
            };
            pool.watchers().scanNow(IN);
            clocks.pass(AGE);
            try {
                pool.watchers().scanNow(IN);
            } catch (RuntimeException e) {
                assertThat(e).hasMessageContaining("cut short");
            }
            faults = PoolFaults.NONE;
            FileKey key = files(ACME).getFirst().key();
            Files.createLink(folder.resolve(".entrepot-" + key + "-a.txt"), source);
            reopen();

            scan();

            assertThat(contents(ACME)).containsExactly("once");
            assertThat(left(folder)).isEmpty();
            if (after instanceof PostImport.Move(Path to)) {
                assertThat(left(to)).containsExactly("a.txt");
            }
            pool.files().delete(ACME, key, "for the next round");
            pool.watchers().remove(IN);
        }
    }

    private static final class Birthless implements FileCalls {
        private final FileCalls real = FileCalls.system();

        @Override
        public Set<Capability> capabilities() {
            return real.capabilities();
        }

        @Override
        public Directory openDirectory(BytePath path) throws PosixException {
            return wrap(real.openDirectory(path));
        }

        @Override
        public DirectoryReader newReader(Set<StatField> fields) {
            DirectoryReader reader = real.newReader(fields);
            return new DirectoryReader() {
                @Override
                public Cursor list(Directory directory) throws PosixException {
                    return reader.list((Directory) unwrap(directory));
                }

                @Override
                public void close() {
                    reader.close();
                }
            };
        }

        @Override
        public Optional<Notification> notification() {
            return real.notification();
        }

        @Override
        public Mount mountOf(BytePath path) throws IOException {
            return real.mountOf(path);
        }

        private static Directory wrap(Directory directory) {
            return (Directory) Proxy.newProxyInstance(Directory.class.getClassLoader(),
                    new Class<?>[]{Directory.class}, new Handler(directory));
        }

        private static Object unwrap(Object argument) {
            return argument instanceof Directory && Proxy.isProxyClass(argument.getClass())
                    && Proxy.getInvocationHandler(argument) instanceof Handler handler ? handler.directory : argument;
        }

        private record Handler(Directory directory) implements InvocationHandler {
            @Override
            public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
                    throws Throwable {
                Object[] plain = arguments == null ? new Object[0] : arguments.clone();
                for (int i = 0; i < plain.length; i++) {
                    plain[i] = unwrap(plain[i]);
                }
                try {
                    return switch (method.invoke(directory, plain)) {
                        case Directory opened -> wrap(opened);
                        case Stat stat -> new Stat(stat.type(), stat.mode(), stat.links(), stat.uid(), stat.gid(),
                                stat.size(), stat.inode(), stat.device(), stat.mountId(), stat.mtime(), stat.ctime(),
                                OptionalLong.empty());
                        case null -> null;
                        case Object other -> other;
                    };
                } catch (InvocationTargetException e) {
                    throw e.getCause() == null ? e : e.getCause();
                }
            }
        }
    }
}
