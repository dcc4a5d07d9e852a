package io.entrepot.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A command that was run in this process, and what came of it. */
record Ran(int exit, String out, String err) {

    static Ran command(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = new Main(new PrintWriter(out), new PrintWriter(err), false, Commands.all()).run(args);
        return new Ran(exit, out.toString(), err.toString());
    }

    /** {@code pool …} on that data directory. */
    static Ran pool(Path data, String... args) {
        List<String> all = new ArrayList<>(List.of("pool"));
        all.addAll(List.of(args));
        all.add("--data");
        all.add(data.toString());
        return command(all.toArray(String[]::new));
    }

    /** What comes first on the last line: a key or a lease. */
    String word() {
        return out.lines().reduce((_, last) -> last).orElseThrow().split(" ", 2)[0];
    }

    /** A field of the only JSON object. */
    String field(String name) {
        var found = Pattern.compile("\"" + name + "\":\"?([^\",}]*)").matcher(out);
        if (!found.find()) {
            throw new AssertionError("no field " + name + " in " + out);
        }
        return found.group(1);
    }
}
