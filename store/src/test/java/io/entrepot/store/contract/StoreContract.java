package io.entrepot.store.contract;

import io.entrepot.store.Faults;
import io.entrepot.store.GroupLimits;
import io.entrepot.store.Owner;
import io.entrepot.store.Schema;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.Transaction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every implementation of {@link Store} promises, part by part in the classes that extend this one. An
 * implementation is tested by one class with a nested class for each part: see {@link SqliteContractTest}.
 */
abstract class StoreContract {
    static final Schema TABLES = new Schema("contract", StoreContract.class, 1);
    static final Owner ACME = new Owner("acme");
    static final Owner OTHER = new Owner("other");

    private final Function<Path, StoreFixture> implementation;
    private StoreFixture fixture;
    Faults faults = Faults.NONE;
    Clocks clocks = new Clocks();
    Store store;

    StoreContract(Function<Path, StoreFixture> implementation) {
        this.implementation = implementation;
    }

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = implementation.apply(directory);
        store = fixture.open(config());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** The clocks are real; faults are what the test sets at any time; no group is cut short because a machine is slow. */
    StoreConfig config() {
        GroupLimits usual = GroupLimits.DEFAULT;
        return StoreConfig.of(TABLES).withFaults(point -> faults.reach(point)).withLimits(
                new GroupLimits(usual.operations(), usual.bytes(), Duration.ofMinutes(1), usual.company()));
    }

    /** Closes the store in good order and opens it again. */
    void reopen(StoreConfig config) {
        store.close();
        store = fixture.open(config);
    }

    void reopen() {
        reopen(config());
    }

    /** Goes on with what a kill at this moment would leave. */
    void crash(StoreConfig config) {
        fixture.crash();
        faults = Faults.NONE;
        store = fixture.open(config);
    }

    void crash() {
        crash(config());
    }

    static int insert(Transaction tx, long id) {
        return insert(tx, id, 0);
    }

    static int insert(Transaction tx, long id, long n) {
        return tx.update("INSERT INTO item (id, n) VALUES (?, ?)", id, n);
    }

    List<Long> ids() {
        return store.read(snapshot -> snapshot.query("SELECT id FROM item ORDER BY id", row -> row.getLong(1)));
    }
}
