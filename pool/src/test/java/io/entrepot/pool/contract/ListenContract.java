package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.event.EventCursor;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.EventType;
import io.entrepot.pool.event.Listening;
import io.entrepot.pool.event.PoolEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Listeners are told what has happened, in order, at least once. */
abstract class ListenContract extends PoolContract {
    final List<PoolEvent> told = Collections.synchronizedList(new ArrayList<>());

    ListenContract(PoolFixture fixture) {
        super(fixture);
    }

    @Test
    void listen_fromNowOn_isToldWhatHappensAndNothingFromBefore() throws Exception {
        write(ACME, "before");
        Listening listening = pool.listen(EventFilter.all(), told::add);

        FileKey key = write(ACME, NewFile.named("a \"b\" \\ c.txt").in("in/box").from("upload"), "x");

        eventually(() -> !told.isEmpty());
        PoolEvent event = told.getFirst();
        assertThat(event.type()).isEqualTo("file.written");
        assertThat(event.kind()).contains(EventType.FILE_WRITTEN);
        assertThat(event.tenant()).contains(ACME);
        assertThat(event.subject()).isEqualTo(key.toString());
        assertThat(event.at()).isEqualTo(clocks.instant());
        assertThat(event.body()).isEqualTo(Map.of("size", 1L, "directory", "in/box", "name", "a \"b\" \\ c.txt",
                "source", "upload"));
        assertThat(event.number("size")).hasValue(1);
        assertThat(event.text("nothing")).isEmpty();
        eventually(() -> listening.cursor().equals(EventCursor.parse("main:" + pool.events().last())));
    }

    @Test
    void listen_withAFilter_isToldOnlyWhatItWants() throws Exception {
        List<String> acme = Collections.synchronizedList(new ArrayList<>());
        pool.listen(EventFilter.all().of(ACME).of("tenant.*"), event -> acme.add(event.type()));
        pool.listen(EventFilter.all().of(EventType.FILE_DELETED, EventType.FILE_WRITTEN), told::add);

        pool.tenants().suspend(OTHER);
        pool.tenants().suspend(ACME);
        pool.tenants().enable(ACME);
        FileKey key = write(ACME, "x");
        pool.files().delete(ACME, key, "for the test");

        eventually(() -> told.size() == 2);
        assertThat(told).extracting(PoolEvent::type).containsExactly("file.written", "file.deleted");
        assertThat(told.get(1).text("why")).contains("for the test");
        eventually(() -> acme.size() == 2);
        assertThat(acme).containsExactly("tenant.suspended", "tenant.enabled");
    }

    @Test
    void listen_fromACursor_goesOnWhereItEnded() throws Exception {
        AtomicReference<Listening> first = new AtomicReference<>();
        CountDownLatch known = new CountDownLatch(1);
        first.set(pool.listen(EventFilter.all().of("file.*"), event -> {
            told.add(event);
            if (told.size() == 3) {
                await(known);
                first.get().close(); // by the listener: it is told nothing more
            }
        }));
        known.countDown();
        for (int i = 0; i < 10; i++) {
            write(ACME, "x");
        }
        eventually(() -> told.size() == 3 && first.get().cursor().positions().get("main") >= told.get(2).number());
        EventCursor kept = EventCursor.parse(first.get().cursor().toString());
        reopen();
        write(ACME, "y");

        Listening second = pool.listen(EventFilter.all().of("file.*"), kept, told::add);

        eventually(() -> told.size() == 11);
        assertThat(told).extracting(PoolEvent::subject).doesNotHaveDuplicates();
        assertThat(second.missed()).isZero();
        List<PoolEvent> all = Collections.synchronizedList(new ArrayList<>());
        pool.listen(EventFilter.all(), EventCursor.BEGINNING, all::add);
        eventually(() -> all.size() == pool.events().last());
        assertThat(all).extracting(PoolEvent::number)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, all.size()).boxed().toList());
    }

    @Test
    void listen_whenAListenerThrowsOrHangs_theOthersAreTold() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        AtomicBoolean inside = new AtomicBoolean();
        AtomicInteger calls = new AtomicInteger();
        Listening throwing = pool.listen(EventFilter.all(), _ -> {
            calls.incrementAndGet();
            throw new IllegalStateException("no");
        });
        Listening hanging = pool.listen(EventFilter.all(), _ -> {
            inside.set(true);
            await(never);
        });
        pool.listen(EventFilter.all(), told::add);

        write(ACME, "1");
        write(ACME, "2");

        eventually(() -> told.size() == 2 && throwing.failures() == 2 && inside.get());
        assertThat(calls.get()).isEqualTo(2);
        never.countDown();
        hanging.close();
    }

    @Test
    void listen_whenManyWrite_isToldEachOnceInOrder() throws Exception {
        AtomicInteger atOnce = new AtomicInteger();
        Listening listening = pool.listen(EventFilter.all().of(EventType.FILE_WRITTEN), event -> {
            assertThat(atOnce.incrementAndGet()).isEqualTo(1);
            told.add(event);
            atOnce.decrementAndGet();
        });

        List<String> written = Crowd.run(8, caller -> {
            List<String> mine = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                mine.add(write(caller % 2 == 0 ? ACME : OTHER, "x").toString());
            }
            return mine;
        }).stream().flatMap(List::stream).toList();

        // On a busy machine there may be others as well, which were taken back before anybody saw them.
        eventually(() -> List.copyOf(told).stream().map(PoolEvent::subject).toList().containsAll(written));
        assertThat(told).filteredOn(event -> written.contains(event.subject())).hasSize(320);
        assertThat(told).extracting(PoolEvent::number).isSorted().doesNotHaveDuplicates();
        assertThat(listening.failures()).isZero();
    }

    @Test
    void close_ofAListener_tellsItNothingMore() throws Exception {
        Listening listening = pool.listen(EventFilter.all(), told::add);
        write(ACME, "1");
        eventually(() -> told.size() == 1);

        listening.close();
        write(ACME, "2");

        List<PoolEvent> other = Collections.synchronizedList(new ArrayList<>());
        pool.listen(EventFilter.all(), EventCursor.BEGINNING, other::add);
        eventually(() -> other.size() == pool.events().last());
        assertThat(told).hasSize(1);
    }

    @Test
    void listen_whenEventsWereForgotten_saysHowMany() throws Exception {
        write(ACME, "1");
        EventCursor early = EventCursor.parse("main:1");
        clocks.pass(java.time.Duration.ofHours(1));
        pool.events().forgetBefore(clocks.instant());
        long forgotten = pool.events().last();
        write(ACME, "2");

        Listening listening = pool.listen(EventFilter.all(), early, told::add);

        eventually(() -> told.size() == 1);
        assertThat(listening.missed()).isEqualTo(forgotten - 1);
        assertThat(Optional.of(told.getFirst().number())).contains(forgotten + 1);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
