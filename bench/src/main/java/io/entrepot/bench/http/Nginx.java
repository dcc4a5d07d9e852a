package io.entrepot.bench.http;

import io.entrepot.bench.peers.Program;
import io.entrepot.bench.pool.BenchPool;
import io.entrepot.bench.pool.Crew;
import io.entrepot.lab.ChildServer;
import io.entrepot.lab.HttpConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** nginx, taking files by WebDAV's PUT on the same disk. It does not sync. */
final class Nginx implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ChildServer<InetSocketAddress> server;
    private final Path root;
    private int trials;

    private Nginx(ChildServer<InetSocketAddress> server, Path root) {
        this.server = server;
        this.root = root;
    }

    static Nginx start(Path parent, Program program) throws IOException {
        Path directory = Files.createTempDirectory(parent, "nginx");
        InetSocketAddress address = ChildServer.freeAddress();
        // As root it would give its workers to another user, who may not write here.
        String user = System.getProperty("user.name").equals("root") ? "user root;" : "";
        Path file = Files.writeString(directory.resolve("nginx.conf"),
                configuration(user, directory, address.getPort()));
        Path root = Files.createDirectory(directory.resolve("root"));
        return new Nginx(ChildServer.start(List.of(program.file().toString(), "-p", directory.toString(), "-c",
                file.toString(), "-e", directory.resolve("first.log").toString()), program.environment(), address,
                directory.resolve("log")), root);
    }

    private static String configuration(String user, Path directory, int port) {
        return String.format(Locale.ROOT, """
                                          daemon off;
                                          master_process on;
                                          worker_processes auto;
                                          %1$s
                                          error_log %2$s/error.log;
                                          pid %2$s/pid;
                                          events { worker_connections 512; }
                                          http {
                                            access_log off;
                                            keepalive_requests 1000000000;
                                            client_body_temp_path %2$s/body;
                                            proxy_temp_path %2$s/proxy;
                                            fastcgi_temp_path %2$s/fastcgi;
                                            uwsgi_temp_path %2$s/uwsgi;
                                            scgi_temp_path %2$s/scgi;
                                            server {
                                              listen 127.0.0.1:%3$d;
                                              location / {
                                                root %2$s/root;
                                                dav_methods PUT;
                                                create_full_put_path on;
                                              }
                                            }
                                          }
                                          """, user, directory, port);
    }

    /** Files per second. */
    double measure(int clients, int files, byte[] content) throws Exception {
        String place = "/t" + trials++;
        List<HttpConnection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < clients; i++) {
                connections.add(new HttpConnection(server.address(), PATIENCE));
            }
            return Crew.run(clients, files, (worker, turn) -> {
                HttpConnection.Answer answer = connections.get(worker).ask("PUT", place + "/" + turn % 256 + "/" + turn,
                        List.of(), content);
                if (answer.status() != 201) {
                    throw new IOException("nginx: " + answer.status() + " " + answer.text());
                }
            }, () -> {});
        } finally {
            for (HttpConnection connection : connections) {
                connection.close();
            }
            BenchPool.delete(root.resolve(place.substring(1)));
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
