package io.entrepot.queue.internal;

import io.entrepot.lease.Ticker;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.Witness;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.StoreException;
import io.entrepot.store.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which store's engine serves whom, and claims that span several of them. Thread-safe. */
public final class Routes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Routes.class);
    private static final Ticker REAL = Ticker.system();
    private static final Duration FOREVER = Duration.ofDays(36_500);

    private final Stores stores;
    private final StoreConfig storeConfig;
    private final QueueConfig config;
    private final Witness witness;
    private final Map<Store, Engine> engines = new ConcurrentHashMap<>();
    private final ReentrantLock[] keyed = Stream.generate(ReentrantLock::new).limit(64).toArray(ReentrantLock[]::new);

    public Routes(Stores stores, StoreConfig storeConfig, QueueConfig config, Witness witness) {
        this.stores = stores;
        this.storeConfig = storeConfig;
        this.config = config;
        this.witness = witness;
        engine(Owner.SYSTEM);
        for (Owner owner : stores.sharded()) {
            try {
                engine(owner);
            } catch (StoreException e) {
                LOG.error("the queues of {} are not available: {}", owner, e.getMessage());
            }
        }
    }

    public Engine engine(Owner owner) {
        return engines.computeIfAbsent(stores.store(owner), store -> new Engine(store, storeConfig, config, witness));
    }

    public List<Claimed> claim(ClaimRequest request) throws InterruptedException {
        List<Part> parts = parts(request);
        List<Claimed> found = look(request, parts);
        Duration patience = request.patience().compareTo(FOREVER) < 0 ? request.patience() : FOREVER;
        long deadline = REAL.nanos() + patience.toNanos();
        while (found.isEmpty() && deadline - REAL.nanos() > 0) {
            found = await(request, parts, deadline);
        }
        return found;
    }

    /** The queues of a claim that are in one store. */
    private record Part(Engine engine, List<QueueName> queues) {}

    /** Registers, looks, and sleeps until there may be something. */
    private List<Claimed> await(ClaimRequest request, List<Part> parts, long deadline) throws InterruptedException {
        Waiters.Waiter waiter = new Waiters.Waiter();
        List<Engine.Watch> watches = new ArrayList<>();
        boolean needed = true;
        List<Claimed> found = List.of();
        try {
            each(parts, part -> watches.add(part.engine.watch(waiter, part.queues, request.key())));
            found = look(request, parts);
            // With a key it looks once more at the end: somebody else may have claimed with it, and not been noticed yet.
            if (found.isEmpty() && (waiter.await(deadline - REAL.nanos()) || request.key().isPresent())) {
                found = look(request, parts);
                needed = isRepeated(found);
            }
            return found;
        } finally {
            watches.forEach(Engine.Watch::close);
            if (waiter.isWoken()) {
                passOn(watches, needed, found);
            }
        }
    }

    /**
     * Somebody who was woken leaves. A wake-up that was not followed by a look is still needed by the next one in line
     * at every queue; otherwise only where this one did not take anything although it took something: it may have been
     * woken for one queue and served by another. If it found nothing, there is nothing, or others are just taking it.
     */
    private static void passOn(List<Engine.Watch> watches, boolean needed, List<Claimed> found) {
        if (needed || !found.isEmpty()) {
            Set<QueueName> served = needed
                    ? Set.of()
                    : found.stream().map(Claimed::queue).collect(Collectors.toSet());
            watches.forEach(watch -> watch.passOn(served));
        }
    }

    /** What was claimed before was not what a wake-up was for. */
    private static boolean isRepeated(List<Claimed> found) {
        return !found.isEmpty() && found.getFirst().repeated();
    }

    private List<Claimed> look(ClaimRequest request, List<Part> parts) {
        if (parts.size() == 1) {
            return parts.getFirst().engine.claim(request, parts.getFirst().queues, request.max());
        }
        return request.key().isEmpty() ? lookInTurn(request, parts) : lookWithKey(request, parts);
    }

    /**
     * Which of several stores a key was used in no transaction can say. But only one process has several stores open, so
     * that its callers need only wait for each other.
     */
    private List<Claimed> lookWithKey(ClaimRequest request, List<Part> parts) {
        ReentrantLock lock = keyed[Math.floorMod(request.key().orElseThrow().hashCode(), keyed.length)];
        lock.lock();
        try {
            List<Claimed> before = new ArrayList<>();
            each(parts, part -> part.engine.claimedBefore(request, part.queues).ifPresent(before::addAll));
            return before.isEmpty() ? lookInTurn(request, parts) : before;
        } finally {
            lock.unlock();
        }
    }

    private List<Claimed> lookInTurn(ClaimRequest request, List<Part> parts) {
        int first = Math.floorMod(storeConfig.nonces().next(), parts.size());
        List<Claimed> found = new ArrayList<>();
        List<Part> inTurn = new ArrayList<>(parts.subList(first, parts.size()));
        inTurn.addAll(parts.subList(0, first));
        each(inTurn, part -> {
            if (found.isEmpty()) {
                found.addAll(part.engine.claim(request, part.queues, request.max()));
            }
        });
        return found;
    }

    private List<Part> parts(ClaimRequest request) {
        if (request.queues().size() == 1) {
            return List.of(new Part(engine(request.queues().getFirst().owner()), request.queues()));
        }
        Map<Engine, List<QueueName>> byEngine = new LinkedHashMap<>();
        each(request.queues().stream().distinct().toList(),
                queue -> byEngine.computeIfAbsent(engine(queue.owner()), _ -> new ArrayList<>()).add(queue));
        return byEngine.entrySet().stream().map(entry -> new Part(entry.getKey(), entry.getValue())).toList();
    }

    /** A store that is not available must not keep a caller from the others; it is an error if none is. */
    private static <T> void each(List<T> all, Consumer<T> act) {
        List<StoreException> failures = new ArrayList<>();
        for (T one : all) {
            try {
                act.accept(one);
            } catch (StoreException e) {
                failures.add(e);
            }
        }
        if (failures.size() == all.size()) {
            throw failures.getFirst();
        }
    }

    public List<String> check() {
        List<String> problems = new ArrayList<>(engine(Owner.SYSTEM).check());
        for (Owner owner : new TreeSet<>(stores.sharded())) {
            try {
                problems.addAll(engine(owner).check());
            } catch (StoreException e) {
                problems.add("the queues of " + owner + " are not available: " + e.getMessage());
            }
        }
        return problems;
    }

    public List<ItemId> overdue() {
        return engines.values().stream().flatMap(engine -> engine.overdue().stream()).toList();
    }

    public void tick() {
        Failures failures = new Failures();
        engines.values().forEach(engine -> failures.of(engine::tick));
        failures.rethrow();
    }

    @Override
    public void close() {
        engines.values().forEach(Engine::close);
    }
}
