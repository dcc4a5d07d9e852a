package io.entrepot.chaos.server;

/** What can be wrong with a server, for tests of this scenario: each has to be found out. */
enum Bug {
    NONE,
    /** A worker is told that its file is done before that is so. */
    COMPLETIONS_ANSWERED_FIRST,
    /** Whoever had a file once may complete it. */
    NO_FENCE,
    /** Some files that were acknowledged are not there. */
    UPLOADS_FORGOTTEN,
    /** Some pieces of uploads that were acknowledged are not there. */
    PIECES_FORGOTTEN
}
