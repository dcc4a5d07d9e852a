package io.entrepot.bench.peers;

import java.nio.file.Path;
import java.util.Optional;

/** Where programs of peers are kept from run to run, so that they are fetched and unpacked once. */
public record PeerCache(Path directory) {

    /** The user's, where the desktop conventions put caches. */
    public static PeerCache ofUser() {
        Path caches = Optional.ofNullable(System.getenv("XDG_CACHE_HOME")).filter(path -> path.startsWith("/"))
                .map(Path::of).orElse(Path.of(System.getProperty("user.home"), ".cache"));
        return new PeerCache(caches.resolve("entrepot").resolve("peers"));
    }
}
