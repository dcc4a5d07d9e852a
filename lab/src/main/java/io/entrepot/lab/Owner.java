package io.entrepot.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process, told apart from a later one with the same number by the time it started, in the kernel's ticks since boot
 * (0 where the kernel does not say).
 */
record Owner(long pid, long started) {

    static Owner self() {
        long pid = ProcessHandle.current().pid();
        return new Owner(pid, startOf(pid).orElse(0L));
    }

    boolean alive() {
        Optional<Long> now = startOf(pid);
        return now.isPresent()
                ? now.get() == started
                : !Files.exists(Path.of("/proc/self/stat")) && ProcessHandle.of(pid).isPresent();
    }

    private static Optional<Long> startOf(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            // The second field is the program's name in brackets and may hold anything; the start is the 22nd field.
            String[] rest = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Optional.of(Long.parseLong(rest[19]));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
