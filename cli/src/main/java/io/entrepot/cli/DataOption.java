package io.entrepot.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where the data is; an option of every command that works on a data directory. */
final class DataOption {
    @Option(names = "--data", paramLabel = "DIR", defaultValue = "${ENTREPOT_DATA:-entrepot-data}",
            description = "The data directory (default: ${DEFAULT-VALUE}; also: ENTREPOT_DATA).")
    @SuppressWarnings("NullAway.Init") // has a default
    Path directory;
}
