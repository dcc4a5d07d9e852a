package io.entrepot.architecture.broken.pool;

import io.entrepot.architecture.broken.view.Baseline;

public record KnowsView(Baseline view) {}
