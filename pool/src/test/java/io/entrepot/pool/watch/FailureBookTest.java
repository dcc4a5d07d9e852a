package io.entrepot.pool.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.pool.Pool;
import io.entrepot.pool.TenantId;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import io.entrepot.queue.Queues;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.scan.Entry;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailureBookTest {
    private static final StoreConfig CONFIG = StoreConfig.of(Queues.SCHEMA, Pool.SCHEMA).withSync(false);

    @Test
    void failures_whileTheyAreReadAgain_areAllThere(@TempDir Path directory) throws Exception {
        try (DataDirectory data = DataDirectory.open(directory.resolve("data"), CONFIG)) {
            FailureBook book = new FailureBook(data.main(), new WatcherId("in"), 1, FailureBook.MOST);
            for (int i = 0; i < 200; i++) {
                fail(book, "file" + i);
            }
            AtomicBoolean over = new AtomicBoolean();
            Crowd<Boolean> reader = Crowd.start(1, _ -> {
                while (!over.get()) {
                    assertThat(book.retrying()).isEqualTo(200);
                }
                return true;
            });
            for (int i = 0; i < 200; i++) {
                book.load();
            }
            over.set(true);
            assertThat(reader.results()).containsExactly(true);
        }
    }

    @Test
    void failures_whenTheyAreAsManyAsCanBeRemembered_haveRoomForNoOther(@TempDir Path directory) {
        try (DataDirectory data = DataDirectory.open(directory.resolve("data"), CONFIG)) {
            FailureBook book = new FailureBook(data.main(), new WatcherId("in"), 1, 2);
            fail(book, "a");
            assertThat(book.hasRoomFor(path("b"))).isTrue();
            fail(book, "b");

            assertThat(book.hasRoomFor(path("c"))).isFalse();
            assertThat(book.hasRoomFor(path("a"))).isTrue();
            book.load();
            assertThat(book.hasRoomFor(path("c"))).isFalse();
            book.forget(Set.of(path("a")));
            assertThat(book.hasRoomFor(path("c"))).isTrue();
        }
    }

    private static void fail(FailureBook book, String name) {
        book.failed(path(name), new Entry(Name.of(name), FileType.FILE, Errno.NONE, 1, 1, 1, 1, 1, 1),
                TenantId.DEFAULT, RetryPolicy.DEFAULT, "no luck");
    }

    private static BytePath path(String name) {
        return BytePath.CURRENT.resolve(Name.of(name));
    }
}
