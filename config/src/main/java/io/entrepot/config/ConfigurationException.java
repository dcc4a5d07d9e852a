package io.entrepot.config;

import static java.util.stream.Collectors.joining;

import java.util.Comparator;
import java.util.List;

/** A configuration that cannot be used, with everything that is wrong with it. The code is stable. */
public final class ConfigurationException extends RuntimeException {
    private final List<Mistake> mistakes;

    public ConfigurationException(List<Mistake> mistakes) {
        this.mistakes = mistakes.stream().sorted(Comparator.comparingInt(Mistake::line)).toList();
        if (mistakes.isEmpty()) {
            throw new IllegalArgumentException("there is nothing wrong");
        }
    }

    public String code() {
        return "config.invalid";
    }

    /** In the order of the file. */
    public List<Mistake> mistakes() {
        return mistakes;
    }

    @Override
    public String getMessage() {
        return mistakes.size() == 1
                ? mistakes.getFirst().toString()
                : mistakes.size() + " mistakes in the configuration:"
                        + mistakes.stream().map(mistake -> "\n  " + mistake).collect(joining());
    }
}
