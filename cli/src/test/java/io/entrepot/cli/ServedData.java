package io.entrepot.cli;

import io.entrepot.config.Source;
import io.entrepot.server.Server;
import io.entrepot.server.ServerSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A server on a data directory, on this machine and a port that is free. */
final class ServedData {

    private ServedData() {}

    static Server serve(Path data) throws InterruptedException {
        return serve(data, 0);
    }

    static Server serve(Path data, int port) throws InterruptedException {
        return serve(data, Map.of("server.port", port));
    }

    static Server serve(Path data, Map<String, Object> more) throws InterruptedException {
        Map<String, Object> settings = new HashMap<>(
                Map.of("directory", data.toString(), "server.port", 0, "server.drain-time", "1s"));
        settings.putAll(more);
        return Server.start(
                ServerSettings.read(Optional.empty(), Map.of(), List.of(new Source("test", settings))).value());
    }
}
