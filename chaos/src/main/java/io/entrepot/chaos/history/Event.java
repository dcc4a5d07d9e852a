package io.entrepot.chaos.history;

import java.util.Optional;

/** The beginning or the end of an operation, as it is sent through a pipe. {@link EventLine} is its text. */
public sealed interface Event {

    /** Unique among the events of one recorder; beginning and end have the same. */
    long number();

    record Began(long number, long time, String worker, Call call) implements Event {
        public Began {
            Word.check(worker);
        }
    }

    record Ended(long number, long time, Answer answer) implements Event {}

    default String line() {
        return EventLine.write(this);
    }

    /** Empty if the line is about something else. */
    static Optional<Event> parse(String line) {
        return EventLine.read(line);
    }
}
