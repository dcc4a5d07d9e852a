package io.entrepot.architecture.broken.lease;

import io.entrepot.architecture.broken.store.KnowsLease;

public record KnowsStore(KnowsLease store) {}
