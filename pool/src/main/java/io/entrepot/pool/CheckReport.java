package io.entrepot.pool;

import java.util.List;

/** What a check has found, part by part; no problems means sound. */
public record CheckReport(List<Part> parts) {

    /**
     * One thing that was looked at.
     *
     * @param looked   how many there were to look at
     * @param problems in words, the first {@value #MOST}
     * @param found    how many problems there are
     */
    public record Part(String what, long looked, List<String> problems, long found) {
        public static final int MOST = 1000;

        public Part {
            problems = List.copyOf(problems);
        }

        public boolean sound() {
            return found == 0;
        }
    }

    public CheckReport {
        parts = List.copyOf(parts);
    }

    public boolean sound() {
        return parts.stream().allMatch(Part::sound);
    }

    /** Of all parts, each with the name of its part. */
    public List<String> problems() {
        return parts.stream().flatMap(part -> part.problems.stream().map(problem -> part.what + ": " + problem))
                .toList();
    }
}
