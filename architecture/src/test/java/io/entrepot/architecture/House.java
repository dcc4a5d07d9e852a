package io.entrepot.architecture;

import static java.util.stream.Collectors.toUnmodifiableMap;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The rooms (modules) and the floor each is on. A room is the first package under the root, so {@code
 * io.entrepot.store.internal} belongs to the room {@code store}. Rooms that do not exist yet do no harm.
 */
record House(String root) {
    /** From the ground up. */
    enum Floor {
        SYSTEM, KERNEL, PLANES, EDGES
    }

    static final House ENTREPOT = new House("io.entrepot");

    private static final Map<String, Floor> ROOMS = Stream.of(
            floor(Floor.SYSTEM, "store", "posix", "lease", "log", "config"),
            floor(Floor.KERNEL, "queue", "scan", "session"),
            floor(Floor.PLANES, "pool", "view", "group"),
            floor(Floor.EDGES, "cli", "server", "agent", "client", "console", "bench", "chaos", "lab", "spring"))
            .flatMap(floor -> floor.entrySet().stream())
            .collect(toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    /** The room a class is in, known or not; empty if it is not in this house. */
    Optional<String> roomOf(JavaClass type) {
        var name = type.getPackageName();
        if (!name.startsWith(root + ".")) {
            return Optional.empty();
        }
        var rest = name.substring(root.length() + 1);
        return Optional.of(rest.contains(".") ? rest.substring(0, rest.indexOf('.')) : rest);
    }

    static Optional<Floor> floorOf(String room) {
        return Optional.ofNullable(ROOMS.get(room));
    }

    /**
     * Arrows go down only; rooms on the same floor do not know each other. Edges do, as they put the rest together. And
     * store may know lease: see docs/decisions/store-knows-lease.md.
     */
    static boolean mayKnow(String from, String to) {
        if (from.equals(to) || (from.equals("store") && to.equals("lease"))) {
            return true;
        }
        var upper = ROOMS.get(from);
        var lower = ROOMS.get(to);
        if (upper == null || lower == null) {
            return false;
        }
        return upper == Floor.EDGES || upper.compareTo(lower) > 0;
    }

    private static Map<String, Floor> floor(Floor floor, String... rooms) {
        return Stream.of(rooms).collect(toUnmodifiableMap(room -> room, _ -> floor));
    }
}
