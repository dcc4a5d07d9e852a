package io.entrepot.chaos.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that was asked and answered, of any number of processes. Append-only. Operations without an end are unknown.
 * Safe for use by many threads.
 */
public final class History {

    private record Key(String source, long number) {}

    private final Map<Key, Event.Began> begun = new HashMap<>();
    private final Map<Key, Event.Ended> ended = new HashMap<>();

    /** The source is a name for the recorder's process, another one for each. */
    public synchronized void add(String source, Event event) {
        Key key = new Key(source, event.number());
        Event before = switch (event) {
            case Event.Began began -> begun.putIfAbsent(key, began);
            case Event.Ended end -> ended.putIfAbsent(key, end);
        };
        if (before != null) {
            throw new IllegalArgumentException("twice in a history: " + event + " from " + source);
        }
    }

    /** Takes a line as it came through a pipe; false if it is about something else. */
    public boolean addLine(String source, String line) {
        return Event.parse(line).map(event -> {
            add(source, event);
            return true;
        }).orElse(false);
    }

    /** A recorder in this process. */
    public Recorder recorder(String source) {
        return new Recorder(event -> add(source, event));
    }

    /** What is known by now, by beginning. */
    public synchronized List<Operation> operations() {
        List<Operation> operations = new ArrayList<>(begun.size());
        begun.forEach((key, began) -> {
            Event.Ended end = ended.get(key);
            operations.add(new Operation(key.source(), key.number(), began.worker(), began.call(), began.time(),
                    end == null ? Operation.NEVER : end.time(),
                    end == null ? new Answer.Unknown("no answer") : end.answer()));
        });
        operations.sort(Comparator.comparingLong(Operation::start));
        return operations;
    }
}
