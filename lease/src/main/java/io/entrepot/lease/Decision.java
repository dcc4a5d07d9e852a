package io.entrepot.lease;

/** What a {@link Grant} decided: the answer for the caller, and the row to keep. An answer counts once its row is kept. */
public record Decision<A>(A answer, Grant row) {}
