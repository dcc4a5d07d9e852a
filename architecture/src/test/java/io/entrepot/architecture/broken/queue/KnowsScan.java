package io.entrepot.architecture.broken.queue;

import io.entrepot.architecture.broken.scan.KnowsNames;

public record KnowsScan(KnowsNames scan) {}
