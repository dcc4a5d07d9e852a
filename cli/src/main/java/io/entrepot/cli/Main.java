package io.entrepot.cli;

import java.io.PrintWriter;
import java.util.Arrays;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Runs one command and ends the process with its exit code. Whatever goes wrong reaches the user as one line on
 * stderr; a stack trace only on request ({@code --debug}, or {@code ENTREPOT_DEBUG=1}).
 */
public final class Main {
    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean debug;

    Main(PrintWriter out, PrintWriter err, boolean debug) {
        this.out = out;
        this.err = err;
        this.debug = debug;
    }

    public static void main(String[] args) {
        var out = new PrintWriter(System.out, true, System.out.charset());
        var err = new PrintWriter(System.err, true, System.err.charset());
        if (debugWanted(args)) {
            OneLineLogging.showDetails();
        }
        var main = new Main(out, err, debugWanted(args));
        Thread.setDefaultUncaughtExceptionHandler((_, e) -> System.exit(main.fail(e)));
        System.exit(main.run(args));
    }

    int run(String... args) {
        try {
            var line = new CommandLine(Commands.specFor(args))
                    .setOut(out)
                    .setErr(err)
                    .setParameterExceptionHandler((e, _) -> refuse(e))
                    .setExecutionExceptionHandler((e, _, _) -> fail(e));
            return line.execute(args);
        } catch (Throwable e) {
            return fail(e);
        } finally {
            out.flush();
            err.flush();
        }
    }

    /** The command line itself is wrong: say so, name what was probably meant, and where to read on. */
    private int refuse(ParameterException e) {
        var command = e.getCommandLine().getCommandSpec().qualifiedName();
        var text = new StringBuilder(e.getMessage());
        if (e instanceof UnmatchedArgumentException unmatched) {
            text.setLength(0);
            text.append("unknown ").append(unmatched.isUnknownOption() ? "option" : "argument").append(" '")
                    .append(unmatched.getUnmatched().getFirst()).append('\'');
            var close = unmatched.getSuggestions();
            if (!close.isEmpty()) {
                text.append("; did you mean ").append(String.join(" or ", close)).append('?');
            }
        }
        new Complaint("usage", text.toString(), ExitCode.USAGE).print(err);
        err.println("Try '" + command + " --help'.");
        return ExitCode.USAGE;
    }

    private int fail(Throwable e) {
        var complaint = Complaint.about(e);
        complaint.print(err);
        if (debug) {
            e.printStackTrace(err);
        } else if (complaint.exit() == ExitCode.INTERNAL) {
            err.println("This is a bug in Entrepot. Run it again with --debug to see where it happened.");
        }
        err.flush();
        return complaint.exit();
    }

    /** Read by hand, because it must also hold when the command line cannot be parsed. */
    private static boolean debugWanted(String[] args) {
        return "1".equals(System.getenv("ENTREPOT_DEBUG"))
                || Arrays.stream(args).takeWhile(a -> !a.equals("--")).anyMatch("--debug"::equals);
    }
}
