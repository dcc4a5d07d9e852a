package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.Pool;
import io.entrepot.pool.WatcherNotFoundException;
import io.entrepot.pool.job.JobStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Watchers where several processes share the database: each process runs them all, and each source is imported once. */
class SharedWatchersTest extends WatchFolder {

    SharedWatchersTest() {
        super(PoolFixture.POSTGRES);
    }

    private static boolean runs(Pool pool) {
        return pool.jobs().list().stream().map(JobStatus::name).anyMatch(IN.job()::equals);
    }

    @Test
    void watchers_whenAnotherProcessAddsAndRemovesThem_comeAndGo() throws Exception {
        try (Pool another = Pool.open(config)) {
            another.watchers().add(spec());
            assertThat(runs(pool)).isFalse();

            clocks.pass(Duration.ofMinutes(1));
            pool.tick();
            eventually(() -> runs(pool));
            assertThat(pool.watchers().status(IN).spec().path()).isEqualTo(folder);

            put("a.txt", "once");
            another.watchers().scanNow(IN);
            pool.watchers().scanNow(IN);
            clocks.pass(AGE);
            assertThat(another.watchers().scanNow(IN) + pool.watchers().scanNow(IN)).isEqualTo(1);
            assertThat(contents(ACME)).containsExactly("once");

            another.watchers().remove(IN);
            clocks.pass(Duration.ofMinutes(1));
            pool.tick();
            eventually(() -> !runs(pool));
            assertRefused(WatcherNotFoundException.class, "pool.watcher-not-found", () -> pool.watchers().status(IN));
        }
    }

    @Test
    void scanNow_ofAWatcherThatAnotherProcessHasJustAdded_works() throws Exception {
        try (Pool another = Pool.open(config)) {
            another.watchers().add(spec());
            put("a.txt", "once");

            assertThat(scan()).isEqualTo(1);
        }
    }
}
