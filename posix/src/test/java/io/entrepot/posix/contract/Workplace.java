package io.entrepot.posix.contract;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Cursor;
import io.entrepot.posix.Directory;
import io.entrepot.posix.DirectoryReader;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import io.entrepot.posix.Replacing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A directory for one test, in memory where there is such a place, and gone afterwards whatever is in it. */
public record Workplace(Path path) implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");

    public static Workplace inMemory() throws IOException {
        return Files.isWritable(MEMORY)
                ? new Workplace(Files.createTempDirectory(MEMORY, "entrepot-posix-").toRealPath())
                : onDisk();
    }

    public static Workplace onDisk() throws IOException {
        return new Workplace(Files.createTempDirectory("entrepot-posix-").toRealPath());
    }

    public BytePath bytes() {
        return BytePath.of(path);
    }

    /** Not by Java's own means: there are paths here that are too long for it. */
    @Override
    public void close() throws IOException {
        FileCalls calls = FileCalls.system();
        try (Directory directory = calls.openDirectory(bytes())) {
            empty(calls, directory);
        }
        Files.delete(path);
    }

    /** Without recursion, and with few descriptors open: what is deep is first moved up. */
    private static void empty(FileCalls calls, Directory top) throws IOException {
        Deque<Name> left = new ArrayDeque<>(clear(calls, top, top, 0));
        for (int moved = 0; !left.isEmpty(); moved += 100_000) {
            Name name = left.pop();
            try (Directory directory = top.open(name)) {
                left.addAll(clear(calls, directory, top, moved + 100_000));
            }
            top.removeDirectory(name);
        }
    }

    private static List<Name> clear(FileCalls calls, Directory directory, Directory top, int number)
            throws IOException {
        List<Name> directories = new ArrayList<>();
        List<Name> others = new ArrayList<>();
        try (DirectoryReader reader = calls.newReader()) {
            Cursor cursor = reader.list(directory);
            while (cursor.next()) {
                (cursor.type() == FileType.DIRECTORY ? directories : others).add(cursor.name());
            }
        }
        for (Name other : others) {
            directory.unlink(other);
        }
        List<Name> inTop = new ArrayList<>();
        if (number == 0) {
            return directories;
        }
        for (Name name : directories) {
            Name moved = Name.of("moved-" + (number + inTop.size()));
            directory.rename(name, top, moved, Replacing.REPLACE);
            inTop.add(moved);
        }
        return inTop;
    }
}
