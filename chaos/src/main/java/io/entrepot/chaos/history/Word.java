package io.entrepot.chaos.history;

/** Names in a history are single words, so that a line can be taken apart at its blanks. */
final class Word {

    private Word() {}

    static void check(String text) {
        if (text.isEmpty() || text.chars().anyMatch(character -> character <= ' ')) {
            throw new IllegalArgumentException("not a single word: \"" + text + "\"");
        }
    }

    /** The nearest thing to a text that is a single word. */
    static String of(String text) {
        String word = text.strip().replaceAll("[\\x00-\\x20]+", "_");
        return word.isEmpty() ? "_" : word;
    }
}
