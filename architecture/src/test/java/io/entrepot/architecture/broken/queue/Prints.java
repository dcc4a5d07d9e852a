package io.entrepot.architecture.broken.queue;

import java.util.logging.Logger;

public final class Prints {
    public void print() {
        System.out.println("here");
        Logger.getAnonymousLogger().warning("here");
    }
}
