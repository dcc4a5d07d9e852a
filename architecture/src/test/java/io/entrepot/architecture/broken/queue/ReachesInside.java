package io.entrepot.architecture.broken.queue;

import io.entrepot.architecture.broken.store.internal.Secret;

public record ReachesInside(Secret secret) {}
