package io.entrepot.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTest {

    @TempDir
    Path place;

    /** Makes a disk and waits for its end. */
    static final class Tenant {
        public static void main(String[] arguments) throws Exception {
            Parent parent = Parent.connect();
            LabDisk disk = LabDisk.create(DiskOptions.forCuts().placed(Path.of(arguments[0])));
            parent.ready();
            parent.say(disk.root().toString());
            if (parent.next().equals("exit")) {
                System.exit(0);
            }
        }
    }

    private ChildJvm tenant(LinkedBlockingQueue<String> said) throws Exception {
        ChildJvm child = ChildJvm.start(ChildSpec.of(Tenant.class, place.toString()));
        child.listen(said::add);
        child.awaitReady(Duration.ofMinutes(1));
        return child;
    }

    @Test
    void exit_removesTheDisk_whenNobodyClosedIt() throws Exception {
        try (ChildJvm child = tenant(new LinkedBlockingQueue<>())) {
            assertThat(place).isNotEmptyDirectory();
            child.send("exit");
            assertThat(child.awaitEnd(Duration.ofMinutes(1))).isZero();
        }
        assertThat(place).isEmptyDirectory();
        assertThat(Mount.under(place.toRealPath())).isEmpty();
    }

    @Test
    void sweep_removesTheDisk_whenItsOwnerWasKilled() throws Exception {
        LinkedBlockingQueue<String> said = new LinkedBlockingQueue<>();
        try (ChildJvm child = tenant(said)) {
            Path root = Path.of(said.poll(10, TimeUnit.SECONDS));
            assertThat(LabDirectory.sweep(place.toRealPath())).as("its owner lives").isEmpty();
            assertThat(root).isDirectory();
            child.kill9();
            assertThat(root).as("nobody could clean up").exists();
        }
        assertThat(LabDirectory.sweep(place.toRealPath())).hasSize(1);
        assertThat(place).isEmptyDirectory();
        assertThat(Mount.under(place.toRealPath())).isEmpty();
    }

    @Test
    void sweep_leavesAlone_whatIsNotOurs() throws IOException {
        Path foreign = Files.createDirectory(place.resolve("entrepot-lab"));
        Path other = Files.createDirectory(place.resolve("entrepot-lab-1-2-x"));
        Path file = Files.createFile(place.resolve("entrepot-lab-999999999-1-1"));
        assertThat(LabDirectory.sweep(place)).isEmpty();
        assertThat(foreign).exists();
        assertThat(other).exists();
        assertThat(file).exists();
    }

    @Test
    void sweep_tellsAProcessFromALaterOneWithItsNumber() throws IOException {
        Owner self = Owner.self();
        Path mine = Files.createDirectory(place.resolve("entrepot-lab-" + self.pid() + "-" + self.started() + "-77"));
        Path earlier = Files.createDirectory(place.resolve("entrepot-lab-" + self.pid() + "-1-77"));
        assertThat(LabDirectory.sweep(place)).containsExactly(earlier);
        assertThat(mine).exists();
    }

    @Test
    void parse_readsTheKernelsList() {
        assertThat(Mount.parse("36 35 98:0 /a /mnt/with\\040blank rw,noatime master:1 - ext4 /dev/loop3 rw,commit=300"))
                .contains(new Mount(Path.of("/mnt/with blank"), "ext4", "/dev/loop3"));
        assertThat(Mount.parse("")).isEmpty();
    }
}
