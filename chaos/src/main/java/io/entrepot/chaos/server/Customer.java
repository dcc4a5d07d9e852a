package io.entrepot.chaos.server;

/** Somebody who uses a server in a thread of his own, until told to stop. How many answers he got is for all to ask. */
interface Customer extends Runnable {

    /** So far. */
    long answers();
}
