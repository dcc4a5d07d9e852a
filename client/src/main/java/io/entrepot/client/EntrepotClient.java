package io.entrepot.client;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.FileHistory;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FilePool;
import io.entrepot.pool.PoolFiles;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.WorkQueue;
import io.entrepot.pool.event.EventCursor;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.Listening;
import io.entrepot.pool.event.PoolEvent;
import io.entrepot.pool.process.FileHandler;
import io.entrepot.pool.process.ProcessOptions;
import io.entrepot.pool.process.Processing;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A pool behind a server.
 *
 * <pre>{@code
 * try (FilePool pool = EntrepotClient.connect(URI.create("https://files.example.org:8420"), key)) {
 *     pool.files().write(TenantId.DEFAULT, NewFile.named("invoice.pdf"), stream);
 *     pool.process(TenantId.DEFAULT, 8, task -> print(task.file()));
 * }
 * }</pre>
 *
 * <p>What breaks on the way is made good where that is safe: {@link ClientConfig#deadline} says for how long. Safe for use by many
 * threads.
 */
public final class EntrepotClient implements FilePool {
    private final Transport transport;
    private final Wire wire;
    private final RemoteFiles files;
    private final RemoteWork work;
    private final Set<AutoCloseable> guests = ConcurrentHashMap.newKeySet();

    private EntrepotClient(ClientConfig config) {
        this.transport = new Transport(config);
        this.wire = new Wire(config.sharedPaths());
        this.files = new RemoteFiles(transport, wire);
        this.work = new RemoteWork(transport, wire);
    }

    /** Nothing is sent yet: a server that is away is told by the first call. */
    public static EntrepotClient connect(URI server, String key) {
        return connect(ClientConfig.of(server, key));
    }

    public static EntrepotClient connect(ClientConfig config) {
        return new EntrepotClient(config);
    }

    @Override
    public PoolFiles files() {
        return files;
    }

    @Override
    public WorkQueue work() {
        return work;
    }

    /** Tenants, volumes, rules and all else, for keys of administrators. */
    public Administration administration() {
        return new Administration(this);
    }

    /**
     * Anything that the server's description has, by its path: for what is not a method here.
     *
     * @param path as {@code /v1/tenants/acme}, with its query
     * @param body none if empty
     * @return the answer; {@link Json#isMissing} has no meaning for one without a body, which is an empty object
     */
    public Json call(String method, String path, Optional<Json> body) {
        Ask ask = Ask.of(method, path);
        return transport.sendCalmly(body.map(ask::with).orElse(ask)).json();
    }

    @Override
    public FileHistory history(TenantId tenant, FileKey key) {
        return wire.history(transport.sendCalmly(Ask.get(Ask.path("tenants", tenant.name(), "files", key.toString(),
                "history"))).json());
    }

    @Override
    public List<String> explain(TenantId tenant, FileKey key) {
        return transport.sendCalmly(Ask.get(Ask.path("tenants", tenant.name(), "files", key.toString(), "explain")))
                .json().get("sentences").list().stream().map(Json::text).toList();
    }

    @Override
    public Processing process(ProcessOptions options, FileHandler handler) {
        Processing processing = Processing.start(options, handler, new Processing.Surroundings(work, files, this::open,
                Ticker.system(), InstantSource.system(), transport.config().threads(), ClientLog.INSTANCE),
                guests::remove);
        guests.add(processing);
        return processing;
    }

    /** One alone is asked for its files, and says itself if it may not; of several, one that may not would hide the others. */
    private List<TenantId> open(List<TenantId> some) {
        if (some.size() == 1) {
            return some;
        }
        Set<String> enabled = call("GET", "/v1/tenants", Optional.empty()).get("tenants").list().stream()
                .filter(tenant -> tenant.get("status").text().equals("enabled")).map(tenant -> tenant.get("id").text())
                .collect(Collectors.toSet());
        return some.stream().filter(tenant -> enabled.contains(tenant.name())).toList();
    }

    @Override
    public Listening listen(EventFilter filter, Consumer<PoolEvent> listener) {
        return listen(filter, Optional.empty(), listener);
    }

    @Override
    public Listening listen(EventFilter filter, EventCursor from, Consumer<PoolEvent> listener) {
        return listen(filter, Optional.of(from), listener);
    }

    private Listening listen(EventFilter filter, Optional<EventCursor> from, Consumer<PoolEvent> listener) {
        RemoteListening listening = RemoteListening.start(transport, filter, from, listener, guests::remove);
        guests.add(listening);
        return listening;
    }

    /** Ends what was started on it: processings finish what they have, listeners are told nothing more. */
    @Override
    public void close() {
        for (AutoCloseable guest : List.copyOf(guests)) {
            try {
                guest.close();
            } catch (Exception e) {
                ClientLog.INSTANCE.warn("closing the client: " + e);
            }
        }
        transport.close();
    }

    @Override
    public String toString() {
        return transport.config().toString();
    }
}
