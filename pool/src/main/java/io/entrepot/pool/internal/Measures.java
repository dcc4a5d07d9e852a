package io.entrepot.pool.internal;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.FileOutcome;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.PoolObserver;
import io.entrepot.pool.TenantId;
import io.entrepot.store.StoreException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells observers what is done; as good as free without any. Safe for use by many threads. */
public final class Measures {
    private static final Logger LOG = LoggerFactory.getLogger(Measures.class);

    private final Ticker ticker;
    private final List<PoolObserver> observers = new CopyOnWriteArrayList<>();

    public Measures(Ticker ticker) {
        this.ticker = ticker;
    }

    public PoolObserver.Registration add(PoolObserver observer) {
        observers.add(observer);
        return () -> observers.remove(observer);
    }

    /** To be handed to {@link #took} or {@link #failed}. */
    long begin() {
        return observers.isEmpty() ? 0 : ticker.nanos();
    }

    void took(PoolObserver.Step step, long begun) {
        tell(observer -> observer.took(step, ticker.nanos() - begun, ""));
    }

    void failed(PoolObserver.Step step, long begun, Exception e) {
        String code = switch (e) {
            case PoolException known -> known.code();
            case StoreException known -> known.code();
            default -> e.getClass().getSimpleName();
        };
        tell(observer -> observer.took(step, ticker.nanos() - begun, code));
    }

    void files(PoolObserver.Fate fate, TenantId tenant, long files, long bytes) {
        tell(observer -> observer.files(fate, tenant, files, bytes));
    }

    /** A watcher's. */
    public void imports(PoolObserver.Import what, String watcher, long files, long bytes) {
        tell(observer -> observer.imports(what, watcher, files, bytes));
    }

    void quotaWarned(TenantId tenant) {
        tell(observer -> observer.quotaWarned(tenant));
    }

    void ended(FileOutcome outcome, TenantId tenant) {
        if (!outcome.repeated()) {
            files(switch (outcome.kind()) {
                case COMPLETED, KEPT -> PoolObserver.Fate.COMPLETED;
                case RETRYING -> PoolObserver.Fate.FAILED;
                case PERMANENTLY_FAILED -> PoolObserver.Fate.GIVEN_UP;
                case RELEASED, PUT_OFF -> PoolObserver.Fate.RELEASED;
            }, tenant, 1, 0);
        }
    }

    private void tell(Consumer<PoolObserver> what) {
        for (PoolObserver observer : observers) {
            try {
                what.accept(observer);
            } catch (RuntimeException e) {
                LOG.warn("an observer failed: {}", e.toString());
            }
        }
    }
}
