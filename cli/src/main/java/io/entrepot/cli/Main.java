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
    private final Commands commands;

    Main(PrintWriter out, PrintWriter err, boolean debug, Commands commands) {
        this.out = out;
        this.err = err;
        this.debug = debug;
        this.commands = commands;
    }

    public static void main(String[] args) {
        var out = new PrintWriter(System.out, true, System.out.charset());
        var err = new PrintWriter(System.err, true, System.err.charset());
        if (debugWanted(args)) {
            OneLineLogging.showDetails();
        }
        var main = new Main(out, err, debugWanted(args), Commands.all());
        Thread.setDefaultUncaughtExceptionHandler((_, e) -> System.exit(main.fail(e)));
        System.exit(main.run(args));
    }

    int run(String... args) {
        try {
            var line = new CommandLine(commands.specFor(args))
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
        var text = e instanceof UnmatchedArgumentException unmatched ? unknown(unmatched) : Complaint.text(e);
        new Complaint("usage", text, ExitCode.USAGE).print(err);
        err.println("Try '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
        return ExitCode.USAGE;
    }

    private static String unknown(UnmatchedArgumentException e) {
        var kind = e.isUnknownOption()
                ? "option"
                : e.getCommandLine().getSubcommands().isEmpty() ? "argument" : "command";
        var close = e.getSuggestions();
        return "unknown " + kind + " '" + e.getUnmatched().getFirst() + "'"
                + (close.isEmpty() ? "" : "; did you mean " + String.join(" or ", close) + "?");
    }

    private int fail(Throwable e) {
        var complaint = Complaint.about(e);
        Complaint.allAbout(e).forEach(each -> each.print(err));
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
