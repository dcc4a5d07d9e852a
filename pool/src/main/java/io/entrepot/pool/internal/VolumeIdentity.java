package io.entrepot.pool.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which volume a directory is, for those who have no books to look it up in. */
final class VolumeIdentity {
    private static final Pattern TEXT = Pattern.compile("entrepot volume ([A-Za-z0-9][A-Za-z0-9._-]{0,63})\n");

    private VolumeIdentity() {}

    /** Nothing if it is none. */
    static Optional<String> at(Path path) {
        try {
            Matcher matcher = TEXT.matcher(Files.readString(path.resolve(".entrepot/volume")));
            return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
