package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.store.contract.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a process that was killed while it wrote. */
class KillTest {
    private static final int LIVES = 3;

    @TempDir
    private Path root;

    @Test
    void open_whenTheWriterWasKilled_hasEverythingAcknowledgedAndNumbersGoOn() throws IOException {
        Path directory = root.resolve("data");
        Map<Long, Long> acknowledged = new HashMap<>();
        for (int life = 0; life < LIVES; life++) {
            try (Child child = Child.start(Writing.class, directory, life * 1_000_000L)) {
                List<String> lines = new ArrayList<>();
                while (lines.size() < 300 + life * 500) {
                    lines.add(child.line());
                }
                lines.addAll(child.kill());
                for (String line : lines) {
                    int space = line.indexOf(' ');
                    acknowledged.put(Long.parseLong(line.substring(0, space)),
                            Long.parseLong(line.substring(space + 1)));
                }
            }
            Path log = directory.resolve(DataDirectory.MAIN + "-wal");
            assertThat(log).isNotEmptyFile();
            Object before = Files.readAttributes(log, "unix:ino").get("ino");
            try (DataDirectory data = DataDirectory.open(directory, StoreConfig.of())) {
                // What a crash has left is written anew before it is believed.
                assertThat(Files.readAttributes(log, "unix:ino").get("ino")).isNotEqualTo(before);
                assertComplete(data.main(), acknowledged);
            }
            assertThat(log).doesNotExist();
        }
        assertThat(acknowledged.values()).doesNotHaveDuplicates();
    }

    private static void assertComplete(Store store, Map<Long, Long> acknowledged) {
        Map<Long, Long> found = new HashMap<>();
        store.read(snapshot -> snapshot.query("SELECT id, n FROM t", row -> found.put(row.getLong(1), row.getLong(2))));
        assertThat(found).containsAllEntriesOf(acknowledged);
        long rows = found.size();
        assertThat(store.<Long>read(snapshot -> snapshot.count(Writing.SEQUENCE))).isEqualTo(rows);
        List<Long> numbers = LongStream.rangeClosed(1, rows).boxed().toList();
        assertThat(found.values().stream().sorted().toList()).isEqualTo(numbers);
        assertThat(store.events().last()).isEqualTo(rows);
        List<Event> events = store.events().after(0, Integer.MAX_VALUE);
        assertThat(events.stream().map(Event::seq).toList()).isEqualTo(numbers);
        assertThat(events.stream().map(event -> Long.parseLong(event.subject())).sorted().toList())
                .isEqualTo(found.keySet().stream().sorted().toList());
        assertThat(store.check().problems()).isEmpty();
    }
}
