package io.entrepot.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entrepot.pool.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/**
 * The idempotency keys by which a put that was cut short is gone on with. Made of where a source is and goes to, its size, and when it
 * was changed: as long as these are the same it is the same file of the pool, and whether its bytes are the same too the pool compares.
 */
final class PutKeys {
    private static final String PREFIX = "put ";

    private PutKeys() {}

    /** Asked before the source is read: of one that is changed meanwhile, the next put sees that it was. */
    static String of(PutSources.Source source) throws IOException {
        Path path = source.path().toAbsolutePath().normalize();
        BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        String said = String.join("\n", path.toString(), source.directory(), Long.toString(now.size()),
                Long.toString(now.lastModifiedTime().to(TimeUnit.NANOSECONDS)));
        return PREFIX + new Sha256(Sha256.digest().digest(said.getBytes(UTF_8)));
    }
}
