package io.entrepot.cli;

import io.entrepot.pool.TenantId;
import picocli.CommandLine.Option;

/** Whose files; an option of every command about files. */
final class TenantOption {
    @Option(names = {"-t", "--tenant"}, paramLabel = "TENANT", defaultValue = "${ENTREPOT_TENANT:-default}",
            description = "Whose files (default: ${DEFAULT-VALUE}; also: ENTREPOT_TENANT).")
    @SuppressWarnings("NullAway.Init") // has a default
    String name;

    TenantId id() {
        return new TenantId(name);
    }
}
