package io.entrepot.chaos.scan;

import io.entrepot.lab.Parent;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileCalls;
import java.util.Random;

/**
 * Another process that changes a tree. Told {@code storm INSIDE OUTSIDE SEED MILLIS LINKS}, does so for that long and says how many
 * changes it made; told {@code burst DIRECTORY COUNT}, makes so many files there as fast as it can and says so; told
 * {@code exit}, ends.
 */
final class StormChild {

    private StormChild() {}

    public static void main(String[] arguments) throws Exception {
        Parent parent = Parent.connect();
        FileCalls calls = FileCalls.system();
        parent.ready();
        for (String command = parent.next(); !command.equals("exit"); command = parent.next()) {
            String[] words = command.split(" ", -1);
            long made = switch (words[0]) {
                case "storm" -> storm(calls, words);
                case "burst" -> Burst.make(calls, BytePath.parse(words[1]), Integer.parseInt(words[2]));
                default -> throw new IllegalArgumentException("unknown command: " + command);
            };
            parent.say(Long.toString(made));
        }
        System.exit(0);
    }

    private static long storm(FileCalls calls, String[] words) throws Exception {
        long end = System.nanoTime() + Long.parseLong(words[4]) * 1_000_000;
        long made = 0;
        try (Storm storm = new Storm(BytePath.parse(words[1]), BytePath.parse(words[2]), calls,
                new Random(Long.parseLong(words[3])), Boolean.parseBoolean(words[5]))) {
            while (System.nanoTime() - end < 0) {
                made += storm.blow() ? 1 : 0;
            }
        }
        return made;
    }
}
