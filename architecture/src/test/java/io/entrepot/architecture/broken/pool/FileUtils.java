package io.entrepot.architecture.broken.pool;

public final class FileUtils {}
