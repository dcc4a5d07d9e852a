package io.entrepot.chaos.history;

import java.util.Optional;

/** What was asked of the queue. */
public sealed interface Call {

    /**
     * To take an item. The caller names it before the queue does, by a word that travels in the item's body: so an item can
     * be recognised although the answer to its put was lost. Two puts have the same name only if they mean the same
     * item, by an idempotency key.
     */
    record Put(String item, Optional<String> key) implements Call {
        public Put {
            Word.check(item);
            key.ifPresent(Word::check);
        }
    }

    /** To hand out items. */
    record Claim() implements Call {}

    /** To take an item out for good, whoever has it. */
    record Remove(String item) implements Call {
        public Remove {
            Word.check(item);
        }
    }

    /** To do something with a lease. */
    record Step(Kind kind, Grant lease) implements Call {

        /** What is done with it. */
        public enum Kind {
            RENEW, FINISH, FAIL, RELEASE
        }
    }
}
