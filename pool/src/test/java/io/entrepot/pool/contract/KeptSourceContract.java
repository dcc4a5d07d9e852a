package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.job.JobName;
import io.entrepot.pool.watch.PostImport;
import io.entrepot.pool.watch.SkipReason;
import io.entrepot.pool.watch.WatcherSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Sources that stay where they are, and are not imported again. */
abstract class KeptSourceContract extends WatchFolder {

    KeptSourceContract(PoolFixture fixture) {
        super(fixture);
    }

    @Test
    void keep_whenImported_isNotImportedAgainUnlessReplaced() throws Exception {
        pool.watchers().add(spec().withPostImport(new PostImport.Keep()));
        Path source = put("a.txt", "first");
        Files.setLastModifiedTime(source, LONG_AGO);
        assertThat(scan()).isEqualTo(1);
        assertThat(scan()).isZero();
        reopen();
        assertThat(scan()).isZero();
        assertThat(pool.watchers().status(IN).skipped()).containsEntry(SkipReason.KEPT, 1L);
        Files.move(source, folder.resolve("b.txt"));
        assertThat(scan()).isZero();
        Files.move(folder.resolve("b.txt"), source);

        // The same size, time and name, and quite possibly the same inode: only its birth tells.
        Files.delete(source);
        Files.setLastModifiedTime(put("a.txt", "other"), LONG_AGO);
        assertThat(scan()).isEqualTo(1);
        put("a.txt", "changed in place");
        assertThat(scan()).isEqualTo(1);

        assertThat(contents(ACME)).containsExactly("changed in place", "first", "other");
    }

    @Test
    void keep_whenTheWatcherIsRemovedAndAddedAgain_isStillKnown() throws Exception {
        WatcherSpec keeping = spec().withPostImport(new PostImport.Keep());
        pool.watchers().add(keeping);
        put("a.txt", "a");
        assertThat(scan()).isEqualTo(1);
        pool.watchers().remove(IN);
        pool.watchers().add(keeping);
        assertThat(scan()).isZero();

        pool.watchers().remove(IN);
        clocks.pass(Duration.ofDays(2));
        pool.tick();
        eventually(() -> pool.jobs().get(new JobName("forget-watchers")).lastResult()
                .equals(Optional.of("1 watchers were forgotten")));
        pool.watchers().add(keeping);
        assertThat(scan()).isEqualTo(1);
    }

    @Test
    void keep_whenTheWatcherWasRemovedLongAgo_isForgotten() throws Exception {
        pool.watchers().add(spec().withPostImport(new PostImport.Keep()));
        for (int i = 0; i < 20; i++) {
            put(i + ".txt", "kept");
        }
        assertThat(scan()).isEqualTo(20);
        pool.watchers().remove(IN);
        clocks.pass(Duration.ofDays(1).plusMillis(1));
        pool.tenants().enable(OTHER); // the clock of a shared database is heard with every write
        JobName forget = new JobName("forget-watchers");
        pool.jobs().trigger(forget, io.entrepot.pool.job.JobRequest.PLAIN).handle().await(Duration.ofMinutes(1));
        assertThat(pool.jobs().get(forget).lastResult()).contains("1 watchers were forgotten");

        pool.watchers().add(spec().withPostImport(new PostImport.Keep()));
        assertThat(pool.watchers().status(IN).importedFiles()).isZero();
        assertThat(scan()).isEqualTo(20);
    }

    @Test
    void keep_whenTheRuleBecomesDelete_whatWasKeptStays() throws Exception {
        pool.watchers().add(spec().withPostImport(new PostImport.Keep()));
        put("a.txt", "a");
        scan();
        pool.watchers().update(pool.watchers().get(IN).withPostImport(new PostImport.Delete()));
        put("b.txt", "b");

        assertThat(scan()).isEqualTo(1);
        assertThat(left(folder)).containsExactly("a.txt");
    }

    @Test
    void tenant_whenDeleted_takesTheRecordsOfItsSourcesAlong() throws Exception {
        pool.watchers().add(spec().withPostImport(new PostImport.Keep()));
        put("a.txt", "a");
        scan();
        pool.tenants().delete(ACME, true);
        assertThat(scan()).isZero();
        pool.tenants().create(ACME);

        assertThat(scan()).isEqualTo(1);
    }
}
