package io.entrepot.architecture.broken.store.internal;

public record Secret(String value) {}
