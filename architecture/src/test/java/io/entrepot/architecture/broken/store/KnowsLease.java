package io.entrepot.architecture.broken.store;

import io.entrepot.architecture.broken.lease.Name;

public record KnowsLease(Name name) {}
