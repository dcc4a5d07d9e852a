package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemoCommandTest {

    @Test
    void demo_tellsItsStoryAndAddsUp() {
        Ran demo = Ran.command("demo");
        assertThat(demo.err()).isEmpty();
        assertThat(demo.exit()).isZero();
        assertThat(demo.out()).containsSubsequence("the same file, not a second one",
                "refused (pool.tenant-quota-exceeded)", "3 scans are dropped into a watch folder", "kill -9",
                "11 and 4 files", "is processing, by doomed",
                "moved 3 files", "main has 0, second has 3", "Cleanup", "files that had failed for good: 1",
                "doomed claimed it (epoch 1)",
                "the lease of doomed (epoch 1) ran out", "claimed it (epoch 2)", "completed it")
                .contains("is refused (pool.lease-lost)", "connection reset; it is tried again",
                        "page 3 is unreadable; it is given up after 3 attempts")
                .containsPattern("acme +13 +12 +1 +0").containsPattern("globex +4 +4 +0 +0").contains("no problems");
    }
}
