package io.entrepot.cli;

import io.entrepot.client.ClientConfig;
import io.entrepot.config.Secret;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A server and a key for it, under a name.
 *
 * @param trust PEM certificates to be trusted instead of those that Java does
 */
record Profile(String name, URI server, Secret key, Optional<Path> trust) {
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    Profile {
        if (!ALLOWED.matcher(name).matches()) {
            throw new IllegalArgumentException("a profile has a name of 1 to 63 of A-Z a-z 0-9 . _ -, not \"" + name
                    + "\"");
        }
        ClientConfig _ = ClientConfig.of(server, key.text()); // or it says what is wrong
    }

    ClientConfig config() {
        ClientConfig config = ClientConfig.of(server, key.text());
        return trust.map(config::trusting).orElse(config);
    }
}
