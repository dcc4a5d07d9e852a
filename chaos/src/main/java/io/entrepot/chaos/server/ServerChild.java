package io.entrepot.chaos.server;

import io.entrepot.config.Source;
import io.entrepot.lab.Parent;
import io.entrepot.server.Server;
import io.entrepot.server.ServerConfig;
import io.entrepot.server.ServerSettings;
import io.entrepot.server.access.Secret;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A server in a process of its own. Its first command says how: settings, as {@code name=value} with tabs between, and a bug. It
 * says {@code serving PORT KEY}, the key only if it was made now. Then {@code busy} is answered with the number of requests under way.
 */
final class ServerChild {
    static final String SERVING = "serving ";
    static final String BUSY = "busy";
    static final String TRAIN = "train";
    private static final String BUG = "bug";

    private ServerChild() {}

    static String order(Map<String, String> settings, Bug bug) {
        StringBuilder line = new StringBuilder(BUG + "=" + bug);
        settings.forEach((name, value) -> line.append('\t').append(name).append('=').append(value));
        return line.toString();
    }

    public static void main(String[] args) throws Exception {
        Parent parent = Parent.connect();
        parent.ready();
        Map<String, Object> settings = new LinkedHashMap<>();
        for (String pair : parent.next().split("\t", -1)) {
            int equals = pair.indexOf('=');
            String value = pair.substring(equals + 1);
            settings.put(pair.substring(0, equals), value.matches("\\d+") ? Integer.valueOf(value) : value);
        }
        Bug bug = Bug.valueOf(String.valueOf(settings.remove(BUG)));
        Object port = settings.getOrDefault("server.port", 0);
        settings.put("server.port", bug == Bug.NONE ? port : 0);
        ServerConfig config = ServerSettings.read(Optional.empty(), Map.of(), List.of(new Source("chaos", settings)))
                .value();
        Server server = Server.start(config);
        int at = URI.create(server.address()).getPort();
        if (bug != Bug.NONE) {
            at = LyingFront.start(bug, (int) port, at);
        }
        parent.say(SERVING + at + " " + server.firstKey().map(Secret::written).orElse("-"));
        while (true) {
            String command = parent.next();
            if (command.equals(TRAIN)) {
                server.close();
                return;
            }
            parent.say(BUSY + " " + server.underWay());
        }
    }
}
