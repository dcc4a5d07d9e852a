package io.entrepot.chaos.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Cursor;
import io.entrepot.posix.Directory;
import io.entrepot.posix.DirectoryReader;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Replacing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Changes a tree without rest: everything that a watcher or scanner can be surprised by, in random places, with few names so
 * that things meet. There is a second tree outside of the watched one, where things are moved to and come back from. Several
 * of them may work on the same trees: what one finds gone was another's doing. For one thread.
 *
 * <p>A storm either makes hard links or moves things out: a name that is made and moved out before anybody can look leaves a
 * file with one link more, and the kernel tells nobody who watches the file's other name. Where it makes links, files are
 * whole before they have a name that others know: what is written through a name that is gone is told to nobody either.
 */
final class Storm implements AutoCloseable {
    private static final List<Name> NAMES = List.of(Name.of("a"), Name.of("b"), Name.of("c"), Name.of("d"),
            Name.of("a longer name with spaces"), Name.of("two\nlines"), Name.parse("\\xff\\xfe not UTF-8"),
            Name.of("é"));
    private static final int DEEPEST = 8;

    private final BytePath inside;
    private final BytePath outside;
    private final FileCalls calls;
    private final DirectoryReader reader;
    private final Random random;
    private final boolean links;

    Storm(BytePath inside, BytePath outside, FileCalls calls, Random random, boolean links) {
        this.inside = inside;
        this.outside = outside;
        this.calls = calls;
        this.reader = calls.newReader();
        this.random = random;
        this.links = links;
    }

    /** Tries one change; says whether it was made. */
    boolean blow() throws IOException {
        try (Directory here = somewhere(random.nextInt(8) == 0 ? outside : inside)) {
            return change(here);
        } catch (PosixException e) {
            return false; // it was not there, or something else was
        }
    }

    private boolean change(Directory here) throws IOException {
        Name name = name();
        switch (random.nextInt(24)) {
            case 0, 1, 2 -> write(here.create(name), 0);
            case 3 -> create(here, name);
            case 4, 5 -> append(here, name);
            case 6, 7, 8 -> here.makeDirectory(name);
            case 9, 10 -> here.unlink(name);
            case 11 -> here.removeDirectory(name);
            case 12 -> removeAll(here, name);
            case 13, 14 -> here.rename(name, here, name(), replacing());
            case 15, 16, 17 -> {
                try (Directory there = somewhere(inside)) {
                    here.rename(name, there, name(), replacing());
                }
            }
            case 18, 19 -> {
                try (Directory there = somewhere(links ? inside : outside)) {
                    if (links) {
                        here.link(name, there, name());
                    } else {
                        here.rename(name, there, name(), replacing());
                    }
                }
            }
            case 20 -> replace(here, name);
            case 21 -> here.setAttribute(name, "storm", new byte[]{(byte) random.nextInt()});
            case 22 -> tree(here, name, 1 + random.nextInt(4));
            default -> {
                here.removeDirectory(name);
                here.makeDirectory(name);
            }
        }
        return true;
    }

    private Name name() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private Replacing replacing() {
        return random.nextBoolean() ? Replacing.REPLACE : Replacing.NO_REPLACE;
    }

    private Directory somewhere(BytePath root) throws PosixException {
        Directory at = calls.openDirectory(root);
        for (int depth = random.nextInt(DEEPEST); depth > 0; depth--) {
            List<Name> below = directories(at);
            if (below.isEmpty()) {
                break;
            }
            Directory next;
            try {
                next = at.open(below.get(random.nextInt(below.size())));
            } finally {
                at.close();
            }
            at = next;
        }
        return at;
    }

    private List<Name> directories(Directory at) throws PosixException {
        List<Name> below = new ArrayList<>();
        try (Cursor cursor = reader.list(at)) {
            while (cursor.next()) {
                if (cursor.type() == FileType.DIRECTORY) {
                    below.add(cursor.name());
                }
            }
        } catch (PosixException e) {
            at.close();
            throw e;
        }
        return below;
    }

    private void write(FileChannel file, int kilobytes) throws IOException {
        try (file) {
            for (int i = 0; i < kilobytes; i++) {
                file.write(ByteBuffer.allocate(1 + random.nextInt(1024)));
            }
        }
    }

    private void create(Directory here, Name name) throws IOException {
        if (links) {
            replace(here, name);
        } else {
            write(here.create(name), 1 + random.nextInt(3));
        }
    }

    private void append(Directory here, Name name) throws IOException {
        if (links) {
            replace(here, name);
            return;
        }
        // What exists can be opened only for reading: a second name is written to, and so is the first one.
        Name second = Name.of("." + random.nextInt(1_000_000));
        try (FileChannel file = here.create(second)) {
            file.write(ByteBuffer.allocate(random.nextInt(100)));
            here.rename(second, here, name, Replacing.REPLACE);
            file.write(ByteBuffer.allocate(1 + random.nextInt(100)));
        } catch (PosixException e) {
            here.unlink(second);
        }
    }

    private void replace(Directory here, Name name) throws IOException {
        Name fresh = Name.of(".new" + random.nextInt(1_000_000));
        write(here.create(fresh), 1);
        try {
            here.rename(fresh, here, name, Replacing.REPLACE);
        } catch (PosixException e) {
            here.unlink(fresh);
        }
    }

    /** A whole tree at once, as an unpacked archive. */
    private void tree(Directory here, Name name, int depth) throws IOException {
        here.makeDirectory(name);
        try (Directory below = here.open(name)) {
            for (int i = random.nextInt(4); i > 0; i--) {
                create(below, NAMES.get(i));
            }
            if (depth > 1) {
                tree(below, name(), depth - 1);
            }
        }
    }

    private void removeAll(Directory here, Name name) throws IOException {
        try (Directory gone = here.open(name)) {
            List<Name> names = new ArrayList<>();
            List<Name> below = new ArrayList<>();
            try (Cursor cursor = reader.list(gone)) {
                while (cursor.next()) {
                    (cursor.type() == FileType.DIRECTORY ? below : names).add(cursor.name());
                }
            }
            for (Name one : names) {
                gone.unlink(one);
            }
            for (Name one : below) {
                removeAll(gone, one);
            }
        }
        here.removeDirectory(name);
    }

    @Override
    public void close() {
        reader.close();
    }
}
