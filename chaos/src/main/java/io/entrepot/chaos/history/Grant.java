package io.entrepot.chaos.history;

/** A lease on an item as a worker got it from a claim, and as every later step names it. */
public record Grant(String item, long epoch, String nonce) {

    public Grant {
        Word.check(item);
        Word.check(nonce);
    }

    @Override
    public String toString() {
        return item + "@" + epoch + "-" + nonce;
    }
}
