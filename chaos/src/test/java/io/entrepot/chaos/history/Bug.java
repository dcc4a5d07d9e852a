package io.entrepot.chaos.history;

/** What can be wrong with a {@link ModelQueue}, and which rule is to notice. */
enum Bug {
    NONE(Rule.NOTHING_LOST),
    FINISH_IGNORES_THE_LEASE(Rule.ONE_HOLDER),
    RENEW_IGNORES_THE_LEASE(Rule.ONE_HOLDER),
    PUT_IS_LOST_IN_A_CRASH(Rule.NOTHING_LOST),
    EPOCH_IS_LOST_IN_A_CRASH(Rule.EPOCHS_GROW),
    FINISH_IS_LOST_IN_A_CRASH(Rule.FINISHED_STAYS_FINISHED),
    SECOND_OUTCOME_COUNTS(Rule.ONE_OUTCOME),
    KEY_IS_LOST_IN_A_CRASH(Rule.ONE_IDENTITY),
    REMOVAL_IS_LOST_IN_A_CRASH(Rule.FINISHED_STAYS_FINISHED),
    REFUSED_PUT_IS_DONE(Rule.NOTHING_FROM_NOWHERE);

    final Rule rule;

    Bug(Rule rule) {
        this.rule = rule;
    }
}
