package io.entrepot.chaos.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Name;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Many files at once, as when an archive is unpacked. */
final class Burst {
    private static final int PER_DIRECTORY = 1000;

    private Burst() {}

    /** Makes so many empty files in new directories; returns how many. */
    static long make(FileCalls calls, BytePath directory, int count) throws IOException {
        try (Directory top = calls.openDirectory(directory)) {
            for (int done = 0; done < count;) {
                Name name = Name.of("burst-" + done / PER_DIRECTORY);
                top.makeDirectory(name);
                Path below = directory.resolve(name).toPath();
                for (int i = 0; i < PER_DIRECTORY && done < count; i++, done++) {
                    Files.createFile(below.resolve("file-" + i));
                }
            }
        }
        return count;
    }
}
