package io.entrepot.chaos.history;

/** A promise that can be checked by looking at one item. Stateless. */
interface ItemRule {
    void check(ItemStory story, Findings findings);
}
