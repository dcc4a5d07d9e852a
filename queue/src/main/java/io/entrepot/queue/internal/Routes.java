package io.entrepot.queue.internal;

import io.entrepot.lease.Ticker;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueName;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which store's engine serves whom, and claims that span several of them. Thread-safe. */
public final class Routes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Routes.class);
    private static final Ticker REAL = Ticker.system();

    private final DataDirectory directory;
    private final StoreConfig storeConfig;
    private final QueueConfig config;
    private final Map<Store, Engine> engines = new ConcurrentHashMap<>();

    public Routes(DataDirectory directory, StoreConfig storeConfig, QueueConfig config) {
        this.directory = directory;
        this.storeConfig = storeConfig;
        this.config = config;
        engine(Owner.SYSTEM);
        for (Owner owner : directory.sharded()) {
            try {
                engine(owner);
            } catch (StoreException e) {
                LOG.error("the queues of {} are not available: {}", owner, e.getMessage());
            }
        }
    }

    public Engine engine(Owner owner) {
        return engines.computeIfAbsent(directory.store(owner), store -> new Engine(store, storeConfig, config));
    }

    public List<Claimed> claim(ClaimRequest request) throws InterruptedException {
        List<Map.Entry<Engine, List<QueueName>>> parts = parts(request);
        List<Claimed> found = look(request, parts);
        long deadline = REAL.nanos() + request.patience().toNanos();
        while (found.isEmpty() && deadline - REAL.nanos() > 0) {
            found = await(request, parts, deadline);
        }
        return found;
    }

    /** Registers, looks, and sleeps until there may be something. */
    private List<Claimed> await(ClaimRequest request, List<Map.Entry<Engine, List<QueueName>>> parts, long deadline)
            throws InterruptedException {
        Waiters.Waiter waiter = new Waiters.Waiter();
        List<Engine.Watch> watches = new ArrayList<>();
        try {
            for (Map.Entry<Engine, List<QueueName>> part : parts) {
                watches.add(part.getKey().watch(waiter, part.getValue()));
            }
            List<Claimed> found = look(request, parts);
            if (found.isEmpty()) {
                waiter.await(deadline - REAL.nanos());
                found = look(request, parts);
            } else if (waiter.isWoken()) {
                watches.forEach(Engine.Watch::passOn);
            }
            return found;
        } catch (InterruptedException e) {
            if (waiter.isWoken()) {
                watches.forEach(Engine.Watch::passOn);
            }
            throw e;
        } finally {
            watches.forEach(Engine.Watch::close);
        }
    }

    private List<Claimed> look(ClaimRequest request, List<Map.Entry<Engine, List<QueueName>>> parts) {
        List<Claimed> found = List.of();
        int first = parts.size() == 1 ? 0 : Math.floorMod(storeConfig.nonces().next(), parts.size());
        for (int i = 0; i < parts.size() && found.isEmpty(); i++) {
            Map.Entry<Engine, List<QueueName>> part = parts.get((first + i) % parts.size());
            found = part.getKey().claim(request, part.getValue(), request.max());
        }
        return found;
    }

    private List<Map.Entry<Engine, List<QueueName>>> parts(ClaimRequest request) {
        if (request.queues().size() == 1) {
            return List.of(Map.entry(engine(request.queues().getFirst().owner()), request.queues()));
        }
        Map<Engine, List<QueueName>> parts = new LinkedHashMap<>();
        request.queues().stream().distinct()
                .forEach(queue -> parts.computeIfAbsent(engine(queue.owner()), _ -> new ArrayList<>()).add(queue));
        return List.copyOf(parts.entrySet());
    }

    public List<String> check() {
        return engines.values().stream().flatMap(engine -> engine.check().stream()).toList();
    }

    public void tick() {
        engines.values().forEach(Engine::tick);
    }

    @Override
    public void close() {
        engines.values().forEach(Engine::close);
    }
}
