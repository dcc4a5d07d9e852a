package io.entrepot.chaos.history;

import java.util.List;

/** What the queue said. */
public sealed interface Answer {

    /** The item is in the queue, under this name of the queue's own. */
    record Stored(String id) implements Answer {
        public Stored {
            Word.check(id);
        }
    }

    /** These were handed out; maybe none. */
    record Granted(List<Grant> grants) implements Answer {
        public Granted {
            grants = List.copyOf(grants);
        }
    }

    /** The lease has ended like this: by this call, or (repeated) by an earlier one whose outcome is told again. */
    record Ended(Ending ending, boolean repeated) implements Answer {}

    /** The lease's term has begun anew. */
    record Renewed() implements Answer {}

    /** The item is gone for good. */
    record Removed() implements Answer {}

    /** It was not done, for sure. */
    record Refused(String why) implements Answer {
        public Refused {
            why = Word.of(why);
        }
    }

    /** It was done or not: the call failed in a way that does not tell, or there was no answer because somebody died. */
    record Unknown(String why) implements Answer {
        public Unknown {
            why = Word.of(why);
        }
    }
}
