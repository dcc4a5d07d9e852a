package io.entrepot.server.http;

import io.entrepot.server.ServerConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * Where connections come in: address, certificate, sizes and timeouts. What can be changed while it is open counts for new
 * connections, and how long they may be silent for those that there are too. Made and changed by one thread at a time.
 */
public final class Port implements AutoCloseable {
    private final Supplier<ServerConfig> now;
    private final Optional<SslContextFactory.Server> tls;
    private Optional<Certificates.Identity> identity;
    private @Nullable ServerConnector connector;
    private @Nullable HttpConfiguration http;
    private @Nullable SlowHeads slowHeads;

    /** @param now as it is configured now */
    public Port(Supplier<ServerConfig> now) {
        this.now = now;
        this.identity = now.get().tls().map(Certificates::read);
        this.tls = identity.map(it -> {
            SslContextFactory.Server factory = new SslContextFactory.Server();
            it.give(factory);
            return factory;
        });
    }

    public void configure(HttpConfiguration configuration) {
        configuration.setSendServerVersion(false);
        configuration.setSendXPoweredBy(false);
        if (tls.isPresent()) {
            configuration.addCustomizer(new SecureRequestCustomizer(false));
        }
        limit(configuration);
    }

    private void limit(HttpConfiguration configuration) {
        configuration.setRequestHeaderSize(now.get().maxHeader());
        configuration.setIdleTimeout(now.get().idleTimeout().toMillis());
    }

    public Connector open(Server server, HttpConfiguration configuration) {
        HttpConnectionFactory plain = new HttpConnectionFactory(configuration);
        ServerConnector made = tls.map(factory -> new ServerConnector(server, factory, plain))
                .orElseGet(() -> new ServerConnector(server, plain));
        made.setHost(now.get().host());
        made.setPort(now.get().port());
        made.setIdleTimeout(now.get().idleTimeout().toMillis());
        connector = made;
        http = configuration;
        slowHeads = new SlowHeads(made, () -> now.get().headTimeout());
        return made;
    }

    /** The certificate that new connections get; empty without TLS. */
    public String identity() {
        return identity.map(Certificates.Identity::toString).orElse("");
    }

    public boolean isOther(Certificates.Identity one) {
        return identity.filter(it -> it.certificates().equals(one.certificates())).isEmpty();
    }

    /** New connections get this one; those that there are go on with theirs. If it cannot be used, nothing has changed. */
    public void renew(Certificates.Identity next) {
        tls.ifPresent(factory -> {
            try {
                tryOut(next);
                factory.reload(next::give);
                identity = Optional.of(next);
            } catch (Exception e) {
                throw Certificates.refused(now.get().tls(), e);
            }
        });
    }

    /** A factory that fails in the middle of a reload has no certificate at all any more. */
    private static void tryOut(Certificates.Identity next) throws Exception {
        SslContextFactory.Server trial = new SslContextFactory.Server();
        next.give(trial);
        trial.start();
        trial.stop();
    }

    /** Takes over what was configured anew. */
    public void changed() {
        if (connector == null || http == null || slowHeads == null) {
            return; // not open yet
        }
        limit(http);
        Duration idle = now.get().idleTimeout();
        if (connector.getIdleTimeout() != idle.toMillis()) {
            connector.setIdleTimeout(idle.toMillis());
            connector.getConnectedEndPoints().forEach(end -> end.setIdleTimeout(idle.toMillis()));
        }
        slowHeads.changed();
    }

    @Override
    public void close() {
        if (slowHeads != null) {
            slowHeads.close();
        }
    }
}
