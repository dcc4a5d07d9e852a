package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Cursor;
import io.entrepot.posix.Directory;
import io.entrepot.posix.DirectoryReader;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Replacing;
import io.entrepot.posix.StatField;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * Changes a tree at random, with few names, so that it often does something to what somebody else is just busy with. Second
 * names of files begin with L, and are only made and, with their directories, moved and deleted: see {@link Mirror#settle}.
 * No file gets one while it is written to: what is written through a name that is gone, the kernel tells nobody.
 */
final class Vandal implements AutoCloseable {
    private static final List<Name> NAMES = List.of(Name.of("a"), Name.of("b"), Name.of("c"), Name.of("d"),
            Name.of("with\nnewline"), Name.of(new byte[]{(byte) 0xff, (byte) 0xfe, 'x'}), Name.of("ünïcode"),
            Name.of("e".repeat(255)));
    private static final int DEEPEST = 7;

    private final FileCalls calls;
    private final DirectoryReader reader;
    private final BytePath root;
    private final BytePath outside;
    private final ReadWriteLock linking;
    private final Random random;

    /** With the lock that all who act on one tree share. */
    Vandal(FileCalls calls, BytePath root, BytePath outside, ReadWriteLock linking, long seed) {
        this.calls = calls;
        this.reader = calls.newReader(EnumSet.of(StatField.TYPE));
        this.root = root;
        this.outside = outside;
        this.linking = linking;
        this.random = new Random(seed);
    }

    void act(int times) {
        for (int i = 0; i < times; i++) {
            try {
                act();
            } catch (IOException e) {
                // Somebody else was quicker.
            }
        }
    }

    private void act() throws IOException {
        BytePath path = someDirectory(root);
        Name name = someName();
        try (Directory directory = calls.openDirectory(path)) {
            switch (random.nextInt(16)) {
                case 0, 1, 2 -> {
                    if (path.depth() - root.depth() < DEEPEST) {
                        directory.makeDirectory(name);
                    }
                }
                case 3, 4, 5 -> write(directory, name);
                case 6, 7 -> {
                    directory.unlink(name);
                    write(directory, name);
                }
                case 8 -> directory.unlink(name);
                case 9 -> delete(directory, name, 0);
                case 10, 11, 12 -> {
                    try (Directory target = calls.openDirectory(someDirectory(root))) {
                        directory.rename(name, target, someName(), Replacing.REPLACE);
                    }
                }
                case 13 -> {
                    try (Directory target = calls.openDirectory(outside)) {
                        directory.rename(name, target, someName(), Replacing.NO_REPLACE);
                    }
                }
                case 14 -> {
                    try (Directory target = calls.openDirectory(outside)) {
                        target.rename(someName(), directory, name, Replacing.NO_REPLACE);
                    }
                }
                default -> link(directory, name);
            }
        }
    }

    private void write(Directory directory, Name name) throws IOException {
        linking.readLock().lock();
        try (FileChannel channel = directory.create(name)) {
            int times = random.nextInt(4);
            for (int i = 0; i < times; i++) {
                channel.write(ByteBuffer.allocate(1 + random.nextInt(3000)));
            }
        } finally {
            linking.readLock().unlock();
        }
    }

    private void link(Directory directory, Name name) throws PosixException {
        linking.writeLock().lock();
        try {
            if (directory.stat(name, Freshness.CACHED).type() == FileType.FILE) {
                directory.link(name, directory, Name.of("L" + random.nextInt(3)));
            }
        } finally {
            linking.writeLock().unlock();
        }
    }

    private void delete(Directory directory, Name name, int depth) throws PosixException {
        if (directory.stat(name, Freshness.CACHED).type() != FileType.DIRECTORY) {
            directory.unlink(name);
            return;
        }
        List<Name> below;
        try (Directory child = directory.open(name)) {
            below = names(child, false);
            for (Name each : below) {
                delete(child, each, depth + 1);
            }
        }
        directory.removeDirectory(name);
    }

    private BytePath someDirectory(BytePath from) throws PosixException {
        BytePath path = from;
        while (random.nextInt(3) != 0) {
            List<Name> below;
            try (Directory directory = calls.openDirectory(path)) {
                below = names(directory, true);
            }
            if (below.isEmpty()) {
                return path;
            }
            path = path.resolve(below.get(random.nextInt(below.size())));
        }
        return path;
    }

    private List<Name> names(Directory directory, boolean onlyDirectories) throws PosixException {
        List<Name> names = new ArrayList<>();
        try (Cursor cursor = reader.list(directory)) {
            while (cursor.next()) {
                if (!onlyDirectories || cursor.type() == FileType.DIRECTORY) {
                    names.add(cursor.name());
                }
            }
        }
        return names;
    }

    private Name someName() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    @Override
    public void close() {
        reader.close();
    }
}
