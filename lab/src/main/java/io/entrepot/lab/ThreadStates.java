package io.entrepot.lab;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The states of a process's threads as the kernel tells them: R, S, D (in the kernel, cannot be stopped yet), T (stopped). */
record ThreadStates(Path tasks) {

    boolean allStopped() throws IOException {
        String states = read();
        return !states.isEmpty() && states.chars().allMatch(state -> state == 'T' || state == 't' || state == 'Z');
    }

    /** One letter per thread. */
    String read() throws IOException {
        StringBuilder states = new StringBuilder();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                states.append(state(thread.resolve("stat")));
            }
        }
        return states.toString();
    }

    private static String state(Path stat) throws IOException {
        try {
            String line = Files.readString(stat);
            return line.substring(line.lastIndexOf(')') + 2, line.lastIndexOf(')') + 3);
        } catch (NoSuchFileException ended) {
            return "";
        }
    }
}
