package io.entrepot.queue.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lease.Fence;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.IdempotencyConflictException;
import io.entrepot.queue.ItemHeldException;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemNotClaimableException;
import io.entrepot.queue.ItemNotFoundException;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import io.entrepot.queue.ListRequest;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.NumberTakenException;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.Placed;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueException;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.QueuePausedException;
import io.entrepot.queue.QueueStatus;
import io.entrepot.queue.Queues;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.queue.contract.Clocks;
import io.entrepot.queue.contract.QueuesFixture;
import io.entrepot.store.Owner;
import io.entrepot.store.StoreConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;

/** Takes steps on real queues and on the model of them, and compares what comes of each. */
final class Run {
    static final List<QueueName> QUEUES = List.of(QueueName.of("a", "x"), QueueName.of("a", "y"),
            QueueName.of("b", "x"));
    private static final RetryPolicy POLICY = new RetryPolicy(Duration.ofSeconds(5), Duration.ofSeconds(60), 3, true);
    private static final RetryPolicy AT_ONCE = RetryPolicy.fixed(Duration.ZERO, 3);

    private final QueuesFixture fixture;
    private final Clocks clocks = new Clocks();
    private final QueueConfig config = QueueConfig.DEFAULT.withBackground(false).withMaxDeliveries(3)
            .withMemory(Duration.ofDays(1));
    private final Model model = new Model(config);
    /** Every lease and every item that ever was, for steps to choose from. */
    private final List<ItemLease> leases = new ArrayList<>();
    private final List<ItemId> ids = new ArrayList<>();
    /** Every number that was ever reserved. */
    private final List<Long> reserved = new ArrayList<>();
    private final Set<Long> nonces = new HashSet<>();
    private Queues queues;

    Run(QueuesFixture fixture) {
        this.fixture = fixture;
        queues = open();
    }

    private Queues open() {
        return fixture.open(clocks.in(StoreConfig.of(Queues.SCHEMA).withSync(false)), config);
    }

    void take(Step step) throws InterruptedException {
        readClocks();
        switch (step) {
            case Step.Put put -> put(put);
            case Step.Reserve(int n) -> reserve(n);
            case Step.Claim claim -> claim(claim);
            case Step.ClaimOne(int item, int term) -> pick(ids, item).ifPresent(id -> claimOne(id, term));
            case Step.Renew(int lease) -> lease(lease).ifPresent(this::renew);
            case Step.End(int lease, Step.How how) -> lease(lease).ifPresent(one -> end(one, ending(how)));
            case Step.EndAll all -> endAll(all);
            case Step.Forge forge -> held(forge.lease()).or(() -> lease(forge.lease())).ifPresent(
                    one -> forge(one, forge));
            case Step.Reset(int item) -> pick(ids, item).ifPresent(this::reset);
            case Step.RetryNow(int item) -> pick(ids, item).ifPresent(this::retryNow);
            case Step.Remove(int item, Set<ItemState> from) -> pick(ids, item).ifPresent(id -> remove(id, from));
            case Step.RetryDead(int queue) -> retryDead(QUEUES.get(queue));
            case Step.Purge purge -> purge(purge);
            case Step.Pause(int queue, boolean paused) -> pause(QUEUES.get(queue), paused);
            case Step.Pass(long millis, boolean tick) -> {
                clocks.pass(Duration.ofMillis(millis));
                if (tick) {
                    readClocks();
                    queues.tick();
                    model.tick();
                }
            }
            case Step.SetWall(int minutes) -> clocks.setWall(Duration.ofMinutes(minutes));
            case Step.Reopen _ -> {
                queues = open();
                model.restart();
            }
        }
    }

    private void readClocks() {
        model.ticks = clocks.ticker.nanos();
        model.now = fixture.store(QUEUES.getFirst().owner()).read(snapshot -> snapshot.now());
    }

    private static <T> Optional<T> pick(List<T> from, int number) {
        // Mostly the youngest, with which most can be done.
        return from.isEmpty() ? Optional.empty() : Optional.of(from.reversed().get(number % from.size()));
    }

    private Optional<ItemLease> lease(int number) {
        return pick(leases, number);
    }

    private Optional<ItemLease> held(int number) {
        return pick(leases.stream().filter(lease -> model.held(lease).isPresent()).toList(), number);
    }

    private static Ending ending(Step.How how) {
        return switch (how) {
            case FINISH -> new Ending.Finish(false);
            case KEEP -> new Ending.Finish(true);
            case FAIL -> new Ending.Fail("failed\tbadly", true, POLICY);
            case FAIL_NOW -> new Ending.Fail("failed, again", true, AT_ONCE);
            case KILL -> new Ending.Fail("hopeless", false, POLICY);
            case RELEASE -> new Ending.Release();
            case PUT_OFF -> new Ending.PutOff("the printer is off", Duration.ofSeconds(3));
        };
    }

    private void put(Step.Put step) {
        QueueName queue = QUEUES.get(step.queue());
        Optional<String> key = step.key() < 0 ? Optional.empty() : Optional.of("key " + step.key());
        Optional<Instant> available = step.delay() < 0
                ? Optional.empty()
                : Optional.of(Instant.ofEpochMilli(model.now + step.delay()));
        Optional<Long> number = step.number() < 0 ? Optional.empty() : pick(reserved, step.number());
        if (number.flatMap(model::wentAt).filter(at -> !model.remembered(at)).isPresent()) {
            return; // nobody knows any more that it was used, but the caller does
        }
        NewItem item = new NewItem(queue, String.valueOf(step.payload()).getBytes(UTF_8), step.priority(), available,
                key, number.map(OptionalLong::of).orElse(OptionalLong.empty()));
        Optional<Model.Key> known = key.flatMap(text -> model.known(queue, text));
        if (known.isPresent() && known.get().payload() != step.payload()) {
            assertThatExceptionOfType(IdempotencyConflictException.class).isThrownBy(() -> queues.put(item));
            return;
        }
        if (known.isEmpty() && number.filter(one -> model.isThere(one) || model.wentAt(one).isPresent()).isPresent()) {
            assertThatExceptionOfType(NumberTakenException.class).isThrownBy(() -> queues.put(item));
            return;
        }
        Placed placed = queues.put(item);
        assertThat(placed.created()).isEqualTo(known.isEmpty());
        if (known.isPresent()) {
            assertThat(placed.item()).isEqualTo(known.get().item());
        } else {
            number.ifPresentOrElse(one -> assertThat(placed.item().number()).isEqualTo(one),
                    () -> model.handedOut(placed.item().number(), 1));
            model.put(placed.item(), queue, step.payload(), step.priority(), available, key);
            ids.add(placed.item());
        }
    }

    private void reserve(int n) {
        long first = queues.reserve(QUEUES.getFirst().owner(), n);
        model.handedOut(first, n);
        LongStream.range(first, first + n).forEach(reserved::add);
    }

    private void claimOne(ItemId id, int term) {
        Model.Item item = model.items.get(id.number());
        Duration time = Duration.ofMillis(term);
        Optional<Class<? extends QueueException>> refusal = item == null
                ? Optional.of(ItemNotFoundException.class)
                : switch (item.state) {
                    case HELD -> Optional.of(ItemHeldException.class);
                    case KEPT, DEAD -> Optional.of(ItemNotClaimableException.class);
                    case READY, DELAYED -> model.paused.contains(item.queue)
                            ? Optional.of(QueuePausedException.class)
                            : Optional.empty();
                };
        if (refusal.isPresent()) {
            assertThatExceptionOfType(refusal.get()).isThrownBy(() -> queues.claim(id, "someone", time));
            return;
        }
        Claimed claimed = queues.claim(id, "someone", time);
        compare(claimed, item, term);
        claimed(claimed, "someone");
    }

    private void claimed(Claimed claimed, String holder) {
        model.claim(claimed, holder);
        leases.add(claimed.lease());
        nonces.add(claimed.lease().fence().nonce());
    }

    private void claim(Step.Claim step) throws InterruptedException {
        List<QueueName> from = step.queues().stream().distinct().map(QUEUES::get).toList();
        String holder = "worker " + leases.size() % 3;
        List<Claimed> claimed = queues.claim(new ClaimRequest(from, holder, step.max(), Duration.ofMillis(step.term()),
                Duration.ZERO));
        int there = from.stream().mapToInt(queue -> model.claimable(queue).size()).sum();
        assertThat(claimed).hasSize(Math.min(step.max(), there));
        for (QueueName queue : from) {
            List<Model.Item> claimable = model.claimable(queue);
            List<Claimed> mine = claimed.stream().filter(one -> one.queue().equals(queue)).toList();
            assertThat(mine.size()).isGreaterThanOrEqualTo(Math.min(claimable.size(), step.max() / from.size()));
            for (int i = 0; i < mine.size(); i++) {
                compare(mine.get(i), claimable.get(i), step.term());
            }
        }
        model.known.addAll(from);
        claimed.forEach(one -> claimed(one, holder));
    }

    private void compare(Claimed claimed, Model.Item item, int term) {
        assertThat(claimed.item()).isEqualTo(item.id);
        assertThat(new String(claimed.payload(), UTF_8)).isEqualTo(String.valueOf(item.payload));
        assertThat(claimed.priority()).isEqualTo(item.priority);
        assertThat(claimed.attempts()).isEqualTo(item.attempts);
        assertThat(claimed.deliveries()).isEqualTo(item.deliveries);
        assertThat(claimed.created().toEpochMilli()).isEqualTo(item.created);
        assertThat(claimed.key()).isEqualTo(item.key);
        assertThat(claimed.term()).isEqualTo(Duration.ofMillis(term));
        assertThat(claimed.lease().fence().epoch().value()).isEqualTo(item.epoch + 1);
        assertThat(nonces).doesNotContain(claimed.lease().fence().nonce());
    }

    private void renew(ItemLease lease) {
        if (model.renew(lease)) {
            queues.renew(lease);
        } else {
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> queues.renew(lease));
        }
    }

    private void end(ItemLease lease, Ending ending) {
        Optional<Outcome> expected = model.end(lease, ending);
        if (expected.isPresent()) {
            assertThat(queues.end(lease, ending)).isEqualTo(expected.get());
        } else {
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> queues.end(lease, ending));
        }
    }

    private void endAll(Step.EndAll step) {
        List<ItemLease> chosen = step.leases().stream().flatMap(number -> lease(number).stream()).toList();
        for (Owner owner : List.of(QUEUES.getFirst().owner(), QUEUES.getLast().owner())) {
            List<ItemLease> mine = chosen.stream().filter(lease -> lease.item().owner().equals(owner)).toList();
            List<Optional<Outcome>> expected = mine.stream().map(lease -> model.end(lease, ending(step.how())))
                    .toList();
            assertThat(queues.endAll(mine, ending(step.how()))).isEqualTo(expected);
        }
    }

    private void forge(ItemLease lease, Step.Forge step) {
        Fence fence = lease.fence();
        ItemId item = lease.item();
        ItemLease forged = switch (step.wrong()) {
            case NONCE -> new ItemLease(item, new Fence(fence.epoch(), ~fence.nonce()));
            case EPOCH -> new ItemLease(item, new Fence(fence.epoch().next(), fence.nonce()));
            case ITEM -> new ItemLease(new ItemId(item.owner(), item.number() + 1000), fence);
            case OWNER -> new ItemLease(new ItemId(new Owner("c"), item.number()), fence);
        };
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> queues.end(forged, ending(step.how())));
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> queues.renew(forged));
    }

    private void reset(ItemId id) {
        Model.Item item = model.items.get(id.number());
        if (item == null) {
            assertThatExceptionOfType(ItemNotFoundException.class).isThrownBy(() -> queues.reset(id));
        } else {
            queues.reset(id);
            model.reset(item);
        }
    }

    private void retryNow(ItemId id) {
        Optional<Model.Item> delayed = Optional.ofNullable(model.items.get(id.number()))
                .filter(item -> item.state == ItemState.DELAYED);
        assertThat(queues.retryNow(id)).isEqualTo(delayed.isPresent());
        delayed.ifPresent(model::retryNow);
    }

    private void remove(ItemId id, Set<ItemState> from) {
        Optional<Model.Item> found = Optional.ofNullable(model.items.get(id.number()))
                .filter(item -> from.contains(item.state));
        assertThat(fixture.store(id.owner()).<Boolean>write(id.owner(),
                tx -> queues.remove(tx, id, from, "not wanted"))).isEqualTo(found.isPresent());
        found.ifPresent(item -> model.remove(item, "removed", Optional.of("not wanted")));
    }

    private void retryDead(QueueName queue) {
        List<Model.Item> dead = model.in(queue, ItemState.DEAD);
        assertThat(queues.retryDead(queue)).isEqualTo(dead.size());
        dead.forEach(model::reset);
    }

    private void purge(Step.Purge step) {
        long before = model.now - step.millisAgo();
        List<Model.Item> old = model.in(QUEUES.get(step.queue()), step.state()).stream()
                .filter(item -> item.place < before).toList();
        assertThat(queues.purge(QUEUES.get(step.queue()), step.state(), Instant.ofEpochMilli(before)))
                .isEqualTo(old.size());
        old.forEach(model::purge);
    }

    private void pause(QueueName queue, boolean paused) {
        boolean change = paused ? model.paused.add(queue) : model.paused.remove(queue);
        assertThat(paused ? queues.pause(queue) : queues.resume(queue)).isEqualTo(change);
        model.known.add(queue);
    }

    /** How many there are of what is as the model says. */
    void compareCounts() {
        for (Owner owner : List.of(QUEUES.getFirst().owner(), QUEUES.getLast().owner())) {
            assertThat(queues.statuses(owner)).isEqualTo(QUEUES.stream()
                    .filter(queue -> queue.owner().equals(owner) && model.known.contains(queue))
                    .map(queue -> new QueueStatus(queue, model.paused.contains(queue), model.counts(queue))).toList());
        }
    }

    /** Everything that can be seen of the queues is as the model says. */
    void compareAll() {
        readClocks();
        compareCounts();
        assertThat(queues.check()).isEmpty();
        for (QueueName queue : QUEUES) {
            List<ItemView> all = new ArrayList<>();
            for (ItemState state : List.of(ItemState.HELD, ItemState.READY, ItemState.DELAYED, ItemState.DEAD,
                    ItemState.KEPT)) {
                List<ItemView> expected = model.in(queue, state).stream().map(model::view).toList();
                assertThat(list(ListRequest.of(queue).in(state).withLimit(3))).isEqualTo(expected);
                all.addAll(expected);
            }
            assertThat(list(ListRequest.of(queue).withLimit(4))).isEqualTo(all);
        }
        Map<ItemId, ItemView> there = new LinkedHashMap<>();
        ids.stream().flatMap(id -> Optional.ofNullable(model.items.get(id.number())).stream())
                .forEach(item -> there.put(item.id, model.view(item)));
        assertThat(fixture.store(QUEUES.getFirst().owner()).<Map<ItemId, ItemView>>read(
                snapshot -> queues.find(snapshot, ids))).containsExactlyEntriesOf(there);
        for (ItemId id : ids) {
            Optional<ItemView> expected = Optional.ofNullable(model.items.get(id.number())).map(model::view);
            assertThat(queues.find(id)).isEqualTo(expected);
            assertThat(queues.history(id).stream().map(Object::toString).toList()).isEqualTo(model.history(id).stream()
                    .map(step -> step.toString().replace('\t', ' ')).toList());
        }
    }

    private List<ItemView> list(ListRequest request) {
        List<ItemView> all = new ArrayList<>();
        ListRequest next = request;
        while (true) {
            io.entrepot.queue.ItemPage page = queues.list(next);
            all.addAll(page.items());
            if (page.cursor().isEmpty()) {
                return all;
            }
            next = request.after(page.cursor());
        }
    }
}
