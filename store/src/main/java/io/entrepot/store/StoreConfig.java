package io.entrepot.store;

import io.entrepot.lease.Nonces;
import io.entrepot.lease.Ticker;
import java.time.InstantSource;
import java.util.List;

/**
 * How a store is opened. The defaults are meant for production; {@link #of} names what has none.
 *
 * @param schemas the components that keep tables here
 * @param sync whether a commit waits for the disk. Without it a power cut loses acknowledged work: for throwaway data
 * @param limits see {@link GroupLimits}
 * @param readers threads that read at the same time. Too few: a slow listing delays others; each costs a connection
 * @param walBytes how far the write-ahead log may grow before it is emptied. Too small: frequent pauses; too large: a
 * slow start after a crash, and disk space
 * @param headroom what adds ({@link Transaction#requireRoom}) is refused with a clear error while the disk has fewer free bytes than
 * this, so that what frees or finishes still can. Too small: a full disk cannot be emptied; too large: space is not used. With 0 nothing
 * is kept
 * @param space how much the disk has left
 * @param wall the wall clock
 * @param ticker the clock on which lease terms are counted
 * @param nonces randomness for fences and incarnations
 * @param faults {@link Faults#NONE} outside of tests
 */
public record StoreConfig(List<Schema> schemas, boolean sync, GroupLimits limits, int readers, long walBytes,
        long headroom, FreeSpace space, InstantSource wall, Ticker ticker, Nonces nonces, Faults faults) {
    public static final long DEFAULT_HEADROOM = 32L << 20;

    public StoreConfig {
        schemas = List.copyOf(schemas);
        if (readers < 1 || walBytes < 1 << 20 || headroom < 0) {
            throw new IllegalArgumentException("a store needs a reader, 1 MiB of log and no negative headroom");
        }
    }

    public static StoreConfig of(Schema... schemas) {
        return new StoreConfig(List.of(schemas), true, GroupLimits.DEFAULT, 4, 64L << 20, DEFAULT_HEADROOM,
                FreeSpace.SYSTEM, InstantSource.system(), Ticker.system(), Nonces.secure(), Faults.NONE);
    }

    public StoreConfig withSchemas(List<Schema> value) {
        return new StoreConfig(value, sync, limits, readers, walBytes, headroom, space, wall, ticker, nonces, faults);
    }

    public StoreConfig withSync(boolean value) {
        return new StoreConfig(schemas, value, limits, readers, walBytes, headroom, space, wall, ticker, nonces,
                faults);
    }

    public StoreConfig withLimits(GroupLimits value) {
        return new StoreConfig(schemas, sync, value, readers, walBytes, headroom, space, wall, ticker, nonces, faults);
    }

    public StoreConfig withReaders(int value) {
        return new StoreConfig(schemas, sync, limits, value, walBytes, headroom, space, wall, ticker, nonces, faults);
    }

    public StoreConfig withWalBytes(long value) {
        return new StoreConfig(schemas, sync, limits, readers, value, headroom, space, wall, ticker, nonces, faults);
    }

    public StoreConfig withHeadroom(long value) {
        return new StoreConfig(schemas, sync, limits, readers, walBytes, value, space, wall, ticker, nonces, faults);
    }

    public StoreConfig withSpace(FreeSpace value) {
        return new StoreConfig(schemas, sync, limits, readers, walBytes, headroom, value, wall, ticker, nonces, faults);
    }

    public StoreConfig withClocks(InstantSource newWall, Ticker newTicker) {
        return new StoreConfig(schemas, sync, limits, readers, walBytes, headroom, space, newWall, newTicker, nonces,
                faults);
    }

    public StoreConfig withNonces(Nonces value) {
        return new StoreConfig(schemas, sync, limits, readers, walBytes, headroom, space, wall, ticker, value, faults);
    }

    public StoreConfig withFaults(Faults value) {
        return new StoreConfig(schemas, sync, limits, readers, walBytes, headroom, space, wall, ticker, nonces, value);
    }
}
