package io.entrepot.architecture.broken.view;

public final class Baseline {}
