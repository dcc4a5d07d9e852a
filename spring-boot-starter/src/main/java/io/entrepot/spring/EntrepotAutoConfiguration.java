package io.entrepot.spring;

import io.entrepot.client.ClientConfig;
import io.entrepot.client.EntrepotClient;
import io.entrepot.pool.FilePool;
import io.micrometer.observation.ObservationRegistry;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * The pool behind a server, and the methods that are handed files. A pool in this process comes from a module of its own, as it
 * needs a later Java; a bean of the application's own goes before both.
 */
@AutoConfiguration
@EnableConfigurationProperties(EntrepotProperties.class)
public class EntrepotAutoConfiguration {
    private static final String NEEDS_KEY = "Set entrepot.server.url to its address, as https://files.example.org:8420,"
            + " and entrepot.server.key to an API key (ek_…).";

    private final EntrepotProperties properties;

    EntrepotAutoConfiguration(EntrepotProperties properties) {
        this.properties = properties;
        if (properties.server().url() != null && properties.embedded().directory() != null) {
            throw new EntrepotSetupException("Both entrepot.server.url and entrepot.embedded.directory are set.",
                    "Set one of them: a pool is behind a server or in this process.");
        }
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty("entrepot.server.url")
    ClientConfig entrepotClientConfig(Environment environment) {
        EntrepotProperties.Server server = properties.server();
        if (server.url() == null || server.key() == null) {
            throw new EntrepotSetupException("A server needs a key, and entrepot.server.key is not set.", NEEDS_KEY);
        }
        try {
            ClientConfig config = ClientConfig.of(server.url(), server.key())
                    .withConnectTimeout(server.connectTimeout()).withIdleTimeout(server.idleTimeout())
                    .withDeadline(server.deadline())
                    .withUserAgent(environment.getProperty("spring.application.name", "entrepot-spring"));
            ClientConfig trusting = Optional.ofNullable(server.trust()).map(config::trusting).orElse(config);
            return server.sharedPaths() ? trusting.withSharedPaths() : trusting;
        } catch (IllegalArgumentException e) {
            throw new EntrepotSetupException("entrepot.server is not right: " + e.getMessage(), NEEDS_KEY, e);
        }
    }

    /** Nothing is sent yet: an application starts although its server is away, and its health says so. */
    @Bean
    @ConditionalOnMissingBean(FilePool.class)
    @ConditionalOnProperty("entrepot.server.url")
    EntrepotClient entrepotClient(ClientConfig config) {
        try {
            return EntrepotClient.connect(config);
        } catch (IllegalArgumentException e) {
            throw new EntrepotSetupException("entrepot.server is not right: " + e.getMessage(), NEEDS_KEY, e);
        }
    }

    /** Reached only if nothing else has made the pool that was asked for. */
    @Bean
    @ConditionalOnMissingBean(FilePool.class)
    @ConditionalOnProperty("entrepot.embedded.directory")
    FilePool entrepotEmbeddedPool() {
        throw EmbeddedAbsence.on(Runtime.version().feature());
    }

    @Bean
    @ConditionalOnMissingBean
    FileHandlers entrepotFileHandlers(ConfigurableListableBeanFactory beans, Environment environment,
            ObjectProvider<FilePool> pool, ObjectProvider<ObservationRegistry> observations) {
        HandlerSettings settings = new HandlerSettings(properties, environment.getProperty("spring.application.name",
                "application"), beans::resolveEmbeddedValue);
        return new FileHandlers(new HandlerScan(beans, settings), pool, observations, properties.worker().autoStart());
    }
}
