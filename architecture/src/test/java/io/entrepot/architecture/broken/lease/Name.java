package io.entrepot.architecture.broken.lease;

public record Name(String value) {}
