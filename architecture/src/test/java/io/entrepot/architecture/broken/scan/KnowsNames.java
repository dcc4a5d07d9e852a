package io.entrepot.architecture.broken.scan;

public final class KnowsNames {}
