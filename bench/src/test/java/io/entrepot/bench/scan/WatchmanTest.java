package io.entrepot.bench.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.bench.peers.Program;
import io.entrepot.bench.peers.Programs;
import io.entrepot.bench.peers.TestPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchmanTest {

    @TempDir
    Path directory;

    private Path tree() throws IOException {
        Path tree = Files.createDirectories(directory.resolve("tree \"a\""));
        Files.writeString(tree.resolve("one"), "1");
        Files.writeString(Files.createDirectory(tree.resolve("below")).resolve("two"), "2");
        return tree;
    }

    @Test
    void watch_seesAll_alsoWithTheNextServer() throws Exception {
        Program program = TestPrograms.orSkip(Programs::watchman);
        Path tree = tree();
        for (int i = 0; i < 2; i++) {
            try (Watchman watchman = Watchman.start(directory, program)) {
                assertThat(watchman.watch(tree)).isPositive();
                assertThat(watchman.files(tree)).isEqualTo(2);
            }
        }
    }

    @Test
    void close_leavesNoServer_andClientsStartNone() throws Exception {
        Program program = TestPrograms.orSkip(Programs::watchman);
        Path tree = tree();
        Watchman watchman = Watchman.start(directory, program);
        long pid = Long.parseLong(Files.readString(directory.resolve("watchman/pid")).strip());
        assertThat(ProcessHandle.of(pid)).isPresent();
        watchman.close();
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        assertThatThrownBy(() -> watchman.watch(tree)).isInstanceOf(IOException.class);
    }

    @Test
    void watch_isRefused_whenThereIsNoSuchTree() throws Exception {
        try (Watchman watchman = Watchman.start(directory, TestPrograms.orSkip(Programs::watchman))) {
            assertThatThrownBy(() -> watchman.watch(directory.resolve("none")))
                    .hasMessageContaining("watchman refused");
        }
    }

    @Test
    void start_isRefused_whenTheSocketHasTooLongAPath() {
        Program shell = new Program(Path.of("/bin/sh"), Map.of());
        assertThatThrownBy(() -> Watchman.start(directory.resolve("x".repeat(100)), shell))
                .hasMessageContaining("too long for a socket");
    }

    @Test
    void obstacle_isSaid_whenThereAreMoreDirectoriesThanWatches() throws Exception {
        assertThat(Watchman.obstacle(Integer.MAX_VALUE - 1)).isPresent();
    }
}
