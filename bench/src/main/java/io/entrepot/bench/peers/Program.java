package io.entrepot.bench.peers;

import java.nio.file.Path;
import java.util.Map;

/** A program that can be started, and the environment it needs. */
public record Program(Path file, Map<String, String> environment) {}
