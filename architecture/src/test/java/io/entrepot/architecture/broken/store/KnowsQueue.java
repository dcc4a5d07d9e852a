package io.entrepot.architecture.broken.store;

import io.entrepot.architecture.broken.queue.Prints;

public record KnowsQueue(Prints queue) {}
