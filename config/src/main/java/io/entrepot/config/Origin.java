package io.entrepot.config;

import java.nio.file.Path;

/** Where a value comes from; {@code toString} is for people. */
public sealed interface Origin {

    /** Nobody has said anything. */
    record Default() implements Origin {
        @Override
        public String toString() {
            return "default";
        }
    }

    /** @param line counted from 1; 0 is the file as a whole */
    record InFile(Path file, int line) implements Origin {
        @Override
        public String toString() {
            return line == 0 ? file.toString() : file + ":" + line;
        }
    }

    /** @param by what said so: {@code code} */
    record Given(String by) implements Origin {
        @Override
        public String toString() {
            return "given by " + by;
        }
    }
}
