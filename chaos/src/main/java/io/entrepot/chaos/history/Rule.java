package io.entrepot.chaos.history;

/** What a queue promises. */
public enum Rule {
    NOTHING_LOST("what was put is there once, or was finished"),
    FINISHED_STAYS_FINISHED("what was finished is not handed out again and is not there any more"),
    EPOCHS_GROW("each claim of an item has a greater epoch than the ones before"),
    ONE_HOLDER("a step is accepted only from whom the item was handed to last"),
    ONE_OUTCOME("a lease ends once, and a repeated call is told how"),
    NOTHING_FROM_NOWHERE("only what was put is handed out or there, and once"),
    ONE_IDENTITY("one key is one item, and one item's name is no other's");

    private final String promise;

    Rule(String promise) {
        this.promise = promise;
    }

    public String promise() {
        return promise;
    }
}
