package io.entrepot.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class BootClockTest {

    @Test
    void nanos_askedOften_neverGoBack() {
        BootClock clock = BootClock.system();
        long last = clock.nanos();
        for (int i = 0; i < 100_000; i++) {
            long now = clock.nanos();
            assertThat(now).isGreaterThanOrEqualTo(last);
            last = now;
        }
        assertThat(clock.nanos()).isGreaterThan(0);
    }

    /** /proc/uptime is counted on the boot-time clock, in hundredths. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void nanos_onLinux_areThoseSinceTheMachineBooted() throws IOException {
        long before = BootClock.system().nanos();
        String uptime = Files.readString(Path.of("/proc/uptime")).split(" ", -1)[0];
        long after = BootClock.system().nanos();
        long hundredths = Long.parseLong(uptime.replace(".", ""));
        assertThat(hundredths).isBetween(before / 10_000_000 - 1, after / 10_000_000 + 1);
    }
}
