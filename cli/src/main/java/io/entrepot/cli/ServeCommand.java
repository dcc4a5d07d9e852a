package io.entrepot.cli;

import io.entrepot.config.Configuration;
import io.entrepot.config.Source;
import io.entrepot.pool.RecoveryReport;
import io.entrepot.server.Server;
import io.entrepot.server.ServerConfig;
import io.entrepot.server.access.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The pool over HTTP. */
@Command(name = "serve", description = {
        "Serve the pool over HTTP until Ctrl-C or SIGTERM. SIGHUP: read the configuration again.",
        "Makes the data directory on first use, with a tenant, a volume and an admin key, which is printed once.",
        "Listens on this machine only, unless told otherwise."})
final class ServeCommand implements Callable<Integer> {
    static final Duration CLOSING = Duration.ofSeconds(30);

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Option(names = "--host", paramLabel = "HOST", description = "The address to listen on (default: 127.0.0.1).")
    @Nullable
    String host;

    @Option(names = "--port", paramLabel = "N", description = "The port (default: 8420); 0 for any that is free.")
    @Nullable
    Integer port;

    @Option(names = "--for", paramLabel = "DURATION", description = "End after so long, as 30s, 5m.")
    @Nullable
    String howLong;

    private final CountDownLatch stop = new CountDownLatch(1);
    /** As it is configured now. */
    private volatile Duration drain = Duration.ZERO;

    @Override
    public Integer call() throws InterruptedException {
        List<Source> flags = new ArrayList<>();
        if (host != null) {
            flags.add(new Source("--host", Map.of("server.host", host)));
        }
        if (port != null) {
            flags.add(new Source("--port", Map.of("server.port", port)));
        }
        Duration end = howLong == null ? Duration.ofDays(36_500) : Durations.parse(howLong);
        Configuration<ServerConfig> configuration = on.serverConfig(flags);
        ServerConfig config = configuration.value();
        OneLineLogging.serve(config);
        drain = config.drainTime();
        try (LastWords _ = new LastWords(stop::countDown, () -> drain.plus(CLOSING));
                Server server = Server.start(configuration, () -> on.serverConfig(flags), changed -> {
                    drain = changed.drainTime();
                    OneLineLogging.serve(changed);
                });
                Hangup _ = Hangup.handled(() -> server.reload("SIGHUP"), stop::countDown)) {
            tell(server, config);
            boolean _ = stop.await(end.toMillis(), TimeUnit.MILLISECONDS);
            on.say("closing");
        }
        return ExitCode.OK;
    }

    private void tell(Server server, ServerConfig config) {
        server.pool().recoveries().stream().map(RecoveryReport::lines).forEach(lines -> lines.forEach(on::say));
        String address = server.address();
        StringBuilder text = new StringBuilder("serving ").append(config.pool().directory()).append("\n  API    ")
                .append(address).append("/v1\n  docs   ").append(address).append("/v1/docs");
        server.firstKey().map(Secret::written).ifPresent(key -> text.append("\n  key    ").append(key)
                .append("\n         for everything; it is shown this once, so keep it. Send it as \"Authorization: Bearer"
                        + " ek_…\""));
        on.answer(text.toString(), new JsonObject().with("address", address).with("data", config.pool().directory())
                .with("key", server.firstKey().map(Secret::written)));
        on.out().flush();
    }
}
