package io.entrepot.chaos.server;

import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A file of this scenario. Every byte follows from its word, which is also its name: so whoever finds it can say what it has to be.
 *
 * @param client tells it from those of all others
 */
record Parcel(String client, int number, int size) {

    static Optional<Parcel> parse(String word) {
        String[] parts = word.split("-", -1);
        try {
            return parts.length == 3
                    ? Optional.of(new Parcel(parts[0], Integer.parseInt(parts[1]), Integer.parseInt(parts[2])))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    String word() {
        return client + "-" + number + "-" + size;
    }

    /** Most have one: who did not get an answer sends the same again. */
    Optional<String> key() {
        return number % 4 == 0 ? Optional.empty() : Optional.of("key-" + word());
    }

    byte[] content() {
        byte[] content = new byte[size];
        new SplittableRandom(word().hashCode()).nextBytes(content);
        return content;
    }
}
