package io.entrepot.pool.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.TenantId;
import io.entrepot.store.Faults;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that cannot do anything for a while costs no file. */
class ProcessingFaultsTest {
    private volatile boolean away;
    private Pool pool;

    @BeforeEach
    void open(@TempDir Path temporary) throws InterruptedException {
        pool = Pool.open(PoolConfig.in(temporary.resolve("data")).withPlatform(PoolConfig.Platform.system()
                .withStore(StoreConfig.of().withSync(false).withFaults(point -> {
                    if (away && point == Faults.Point.BEGUN) {
                        throw NotDoneException.io("the database is away", new IOException("injected"));
                    }
                }))));
    }

    @AfterEach
    void close() {
        away = false;
        pool.close();
    }

    @Test
    void process_whenClaimsFail_backsOffAndGoesOn() throws Exception {
        write();
        away = true;
        Processing processing = pool.process(options(), _ -> {});
        eventually(() -> processing.status().state() == ProcessingStatus.State.BACKING_OFF);
        assertThat(processing.status().lastError().orElseThrow()).contains("the database is away");

        away = false;

        eventually(() -> processing.status().completed() == 1);
    }

    @Test
    void process_whenAnOutcomeCannotBeTold_isToldLater() throws Exception {
        write();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Processing processing = pool.process(options(), _ -> {
            begun.countDown();
            go.await();
        });
        begun.await();
        away = true;
        go.countDown();
        eventually(() -> processing.status().lastError().isPresent());
        assertThat(processing.status().completed()).isZero();

        away = false;

        eventually(() -> processing.status().completed() == 1);
        assertThat(processing.status().lost()).isZero();
        assertThat(pool.tenants().usage(TenantId.DEFAULT).files()).isZero();
    }

    @Test
    void close_whenAnOutcomeCannotBeTold_comesToAnEnd() throws Exception {
        write();
        CountDownLatch begun = new CountDownLatch(1);
        Processing processing = pool.process(options().withPatience(Duration.ofMillis(50)), _ -> {
            begun.countDown();
            new CountDownLatch(1).await();
        });
        begun.await();
        away = true;

        processing.close();

        eventually(() -> processing.status().lost() == 1 && processing.status().running().isEmpty());
        assertThat(processing.status().state()).isEqualTo(ProcessingStatus.State.CLOSED);
    }

    private static ProcessOptions options() {
        return ProcessOptions.of(TenantId.DEFAULT, 2).withTerm(Duration.ofMinutes(1));
    }

    private void write() throws InterruptedException {
        pool.files().write(TenantId.DEFAULT, NewFile.unnamed(), "x".getBytes(UTF_8));
    }

    private static void eventually(Callable<Boolean> condition) {
        Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2)).until(condition);
    }
}
