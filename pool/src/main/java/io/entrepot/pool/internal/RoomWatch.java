package io.entrepot.pool.internal;

import io.entrepot.store.Owner;
import io.entrepot.store.Room;
import io.entrepot.store.Store;
import io.entrepot.store.StoreException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells when room on the database's disk has become short, and when it is so no more. Used by one job. */
final class RoomWatch {
    private static final Logger LOG = LoggerFactory.getLogger(RoomWatch.class);

    private final Store main;
    private boolean enough = true;

    RoomWatch(Store main) {
        this.main = main;
    }

    /** What could not be told, as there was no room for that either, is told later. */
    void look() {
        try {
            Optional<Room> room = main.room();
            if (room.isPresent() && room.get().isEnough() != enough) {
                tell(room.get());
                enough = room.get().isEnough();
            }
        } catch (StoreException e) {
            LOG.debug("what room the database has is told later", e);
        }
    }

    private void tell(Room room) {
        main.write(Owner.SYSTEM, tx -> {
            tx.publish(Owner.SYSTEM, room.isEnough() ? "pool.room-enough" : "pool.room-short", "pool",
                    new Body().with("free", room.free()).with("headroom", room.headroom()).toString());
            return true;
        });
    }
}
