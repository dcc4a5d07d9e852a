package io.entrepot.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramsTest {

    @TempDir
    Path directory;

    @Test
    void find_takesWhatIsInstalled() throws Exception {
        Program shell = new Programs(new PeerCache(directory)).find("sh", List.of("no-such-package"));
        assertThat(shell.file()).isExecutable();
        assertThat(shell.environment()).isEmpty();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void find_fails_andLeavesNothing_whenThereIsNoSuchPackage() {
        PeerCache cache = new PeerCache(directory);
        assertThatThrownBy(() -> new Programs(cache).find("no-such-program", List.of("no-such-package")))
                .isInstanceOf(IOException.class);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void find_takesWhatWasUnpackedBefore_withItsLibraries() throws Exception {
        Path root = directory.resolve("no-such-program");
        Path program = Files.createDirectories(root.resolve("usr/bin")).resolve("no-such-program");
        Files.writeString(program, "#!/bin/sh\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Path library = Files.createDirectories(root.resolve("usr/lib/x")).resolve("libx.so.1");
        Files.writeString(library, "");
        Program found = new Programs(new PeerCache(directory)).find("no-such-program", List.of("no-such-package"));
        assertThat(found.file()).isEqualTo(program);
        assertThat(found.environment()).containsEntry("LD_LIBRARY_PATH", root.resolve("usr/lib/x").toString());
    }
}
