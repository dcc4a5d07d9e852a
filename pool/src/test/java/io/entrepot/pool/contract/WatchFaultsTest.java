package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.HookedCalls;
import io.entrepot.pool.watch.WatcherStatus;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.PosixException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Watched directories that fail; and a watcher that waits for something does not look again and again. */
class WatchFaultsTest extends WatchFolder {
    private static final Set<String> CHANGES = Set.of("rename", "link", "unlink");
    private volatile boolean broken;
    private volatile boolean readOnly;

    WatchFaultsTest() {
        super(PoolFixture.SQLITE);
    }

    @Override
    FileCalls calls() {
        return new DeafCalls(new HookedCalls((call, directory) -> {
            if (broken && call.equals("stat") && directory.toString().endsWith("/deep")) {
                throw new PosixException("stat", directory.toString(), Errno.EIO, "the disk is broken");
            }
            if (readOnly && CHANGES.contains(call) && directory.toString().startsWith(folder.toString())) {
                throw new PosixException(call, directory.toString(), Errno.EROFS, "read-only file system");
            }
            return true;
        }));
    }

    @Test
    void import_whenTheSourceCannotBeTakenAway_isOnceAndToldAndEndsLater() throws Exception {
        pool.watchers().add(spec());
        put("a.txt", "once");
        readOnly = true;

        assertThat(scan()).isEqualTo(1);
        assertThat(scan()).isZero();
        reopen();
        assertThat(scan()).isZero();

        assertThat(pool.watchers().status(IN).problems()).anyMatch(problem -> problem.what().contains("read-only"));
        assertThat(left(folder)).containsExactly("a.txt");
        readOnly = false;
        pool.watchers().scanNow(IN);
        assertThat(left(folder)).isEmpty();
        assertThat(contents(ACME)).containsExactly("once");
    }

    @Test
    void look_whenAFileWaitsForItsMarkerAndNothingElse_leavesTime() throws Exception {
        pool.watchers().add(spec().withMarker(Optional.of(".done")).withMinFileAge(Duration.ZERO));
        put("a.txt", "a");

        pool.watchers().scanNow(IN);

        assertThat(pool.watchers().status(IN).nextScan().orElseThrow()).isAfter(clocks.instant().plusMillis(900));
        put("a.txt.done", "");
        assertThat(pool.watchers().scanNow(IN)).isEqualTo(1);
    }

    @Test
    void look_whenWhatIsDueCannotBeLookedAt_leavesTime() throws Exception {
        pool.watchers().add(spec());
        put("deep/a.txt", "a");
        put("b.txt", "b");
        pool.watchers().scanNow(IN);
        broken = true;
        clocks.pass(AGE);

        pool.tick();
        eventually(() -> !pool.watchers().status(IN).problems().isEmpty()
                && !pool.watchers().status(IN).scanning());

        WatcherStatus status = pool.watchers().status(IN);
        assertThat(status.problems()).anyMatch(problem -> problem.what().contains("the disk is broken"));
        assertThat(names(ACME)).containsExactly("b.txt");
        assertThat(status.nextScan().orElseThrow()).isAfter(clocks.instant().plusMillis(900));
        broken = false;
        assertThat(scan()).isEqualTo(1);
    }
}
