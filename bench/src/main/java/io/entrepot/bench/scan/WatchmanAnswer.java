package io.entrepot.bench.scan;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Optional;

/**
 * What watchman said: JSON with a line for each value, of which there may be millions, so it is read line by line and
 * counted. Line ends inside of names are escaped. Immutable.
 *
 * @param files that were named with size and time
 * @param watched the watch that it has begun, if that was asked
 */
record WatchmanAnswer(long files, Optional<String> watched, Optional<String> error) {
    private static final String ERROR = "\"error\": ";
    private static final String WATCH = "\"watch\": ";

    static WatchmanAnswer read(Reader text) throws IOException {
        long names = 0;
        long sizes = 0;
        long times = 0;
        String watched = null;
        String error = null;
        BufferedReader lines = new BufferedReader(text);
        String last = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String value = line.strip();
            if (value.startsWith("\"name\": ")) {
                names++;
            } else if (value.startsWith("\"size\": ")) {
                sizes++;
            } else if (value.startsWith("\"mtime\": ")) {
                times++;
            } else if (value.startsWith(WATCH)) {
                watched = text(value.substring(WATCH.length()));
            } else if (value.startsWith(ERROR)) {
                error = text(value.substring(ERROR.length()));
            }
            last = line;
        }
        if (!last.equals("}")) {
            throw new IOException(
                    "watchman broke off in the middle of an answer" + (last.isEmpty() ? "" : ": " + last));
        }
        return new WatchmanAnswer(Math.min(names, Math.min(sizes, times)), Optional.ofNullable(watched),
                Optional.ofNullable(error));
    }

    private static String text(String value) {
        return value.replaceAll("^\"|\",?$", "");
    }
}
