package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.entrepot.lab.HookedCalls;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.posix.Errno;
import io.entrepot.posix.PosixException;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A volume on a file system without extended attributes. */
class UndescribedVolumeTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.entrepot.pool.internal.VolumeTrials");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        logger.setLevel(Level.WARN);
        logger.addAppender(log);
        log.start();
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    @Test
    void mount_whereThereAreNoAttributes_warnsWhoeverMountsIt(@TempDir Path data) throws Exception {
        HookedCalls calls = new HookedCalls((call, directory) -> {
            if (directory.toString().contains("/plain") && (call.equals("attribute") || call.equals("setAttribute"))) {
                throw new PosixException(call, directory.toString(), Errno.ENOTSUP);
            }
            return true;
        });
        PoolConfig config = PoolConfig.in(data.resolve("pool")).withPlatform(PoolConfig.Platform.system()
                .withStore(StoreConfig.of().withSync(false)).withCalls(calls));
        try (Pool pool = Pool.open(config)) {
            assertThat(pool.volumes().mount(VolumeSpec.of("good", data.resolve("good"))).described()).isTrue();
            assertThat(warnings()).isEmpty();

            assertThat(pool.volumes().mount(VolumeSpec.of("plain", data.resolve("plain"))).described()).isFalse();

            assertThat(warnings()).singleElement().asString().contains("plain", "without extended attributes",
                    "names, labels and checksums");
        }
        Pool.open(config).close();
        assertThat(warnings()).as("was said when it was mounted").hasSize(1);
    }

    private List<String> warnings() {
        return List.copyOf(log.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
