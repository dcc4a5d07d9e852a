package io.entrepot.architecture.broken.pool;

public abstract class AbstractFile {}
