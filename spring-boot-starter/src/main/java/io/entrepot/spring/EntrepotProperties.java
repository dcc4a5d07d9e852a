package io.entrepot.spring;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is set under {@code entrepot}: where the pool is, and how files are handled.
 *
 * @param tenant whose files are handled by methods that name no tenant
 */
@ConfigurationProperties("entrepot")
public record EntrepotProperties(@DefaultValue("default") String tenant, @DefaultValue Server server,
        @DefaultValue Embedded embedded, @DefaultValue Worker worker) {

    /**
     * A pool behind a server.
     *
     * @param url            its address, as https://files.example.org:8420
     * @param key            an API key
     * @param connectTimeout how long a connection may take
     * @param idleTimeout    how long nothing may move on a connection
     * @param deadline       how long a call is tried again before it fails; 0 for never
     * @param trust          PEM certificates to be trusted instead of those that Java does
     * @param sharedPaths    whether this machine sees the server's volumes under the same paths
     */
    public record Server(@Nullable URI url, @Nullable String key, @DefaultValue("10s") Duration connectTimeout,
            @DefaultValue("60s") Duration idleTimeout, @DefaultValue("30s") Duration deadline, @Nullable Path trust,
            @DefaultValue("false") boolean sharedPaths) {

        /** Without the key: this may be written to a log. */
        @Override
        public String toString() {
            return "Server[url=" + url + "]";
        }
    }

    /**
     * A pool in this process.
     *
     * @param directory         of the pool; made if there is none
     * @param tenants           to be created if there are none of these names
     * @param autoCreateTenants whether a tenant that is not known is created by its first file
     */
    public record Embedded(@Nullable Path directory, @DefaultValue List<String> tenants,
            @DefaultValue("false") boolean autoCreateTenants) {

        public Embedded {
            tenants = List.copyOf(tenants);
        }
    }

    /**
     * How methods with {@link FileHandler} work, unless they say otherwise.
     *
     * @param name        what people see as the worker; the application's name if not set
     * @param concurrency how many files a method handles at once
     * @param term        how long a lease lasts without renewal
     * @param patience    how long a shutdown waits for files that are being handled, and then again after interrupting
     * @param autoStart   whether they begin when the application has started
     */
    public record Worker(@Nullable String name, @DefaultValue("4") int concurrency, @DefaultValue("60s") Duration term,
            @DefaultValue("30s") Duration patience, @DefaultValue("true") boolean autoStart) {}
}
