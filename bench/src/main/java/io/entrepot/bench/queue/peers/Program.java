package io.entrepot.bench.queue.peers;

import java.nio.file.Path;
import java.util.Map;

/** A program that can be started, and the environment it needs. */
record Program(Path file, Map<String, String> environment) {}
