package io.entrepot.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where the data is; an option of every command that works on a data directory. */
final class DataOption {
    @Option(names = "--data", paramLabel = "DIR", defaultValue = "${ENTREPOT_DATA:-entrepot-data}",
            description = "The data directory (default: ${DEFAULT-VALUE}; also: ENTREPOT_DATA).")
    @SuppressWarnings("NullAway.Init") // has a default
    private Path given;

    /** Of those commands that need one. An empty name would be the working directory, which nobody means by that. */
    Path directory() {
        if (given.toString().isEmpty()) {
            throw new Failure("usage", "the data directory has no name: say which with --data or ENTREPOT_DATA",
                    ExitCode.USAGE);
        }
        return given;
    }
}
