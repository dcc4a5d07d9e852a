package io.entrepot.spring;

import io.entrepot.client.ClientConfig;
import io.entrepot.client.EntrepotClient;
import java.util.Locale;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What an application with the actuator shows of a pool behind a server; and what it never does. */
@AutoConfiguration(after = EntrepotAutoConfiguration.class)
public class EntrepotActuatorAutoConfiguration {
    private static final String KEY = "entrepot.server.key";
    private static final String KEY_IN_ENVIRONMENT = "entrepot_server_key";

    EntrepotActuatorAutoConfiguration() {}

    /** For applications that have health. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class ServerHealth {

        @Bean
        @ConditionalOnBean({EntrepotClient.class, ClientConfig.class})
        @ConditionalOnEnabledHealthIndicator("entrepot")
        @ConditionalOnMissingBean(name = "entrepotHealthIndicator")
        ServerHealthIndicator entrepotHealthIndicator(ClientConfig config, FileHandlers handlers) {
            return new ServerHealthIndicator(config, handlers);
        }
    }

    /** For applications that show their environment. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SanitizingFunction.class)
    static class Sanitizing {

        /** The key is not shown, even where values are shown. */
        @Bean
        SanitizingFunction entrepotKeySanitizingFunction() {
            return data -> {
                String name = data.getKey().toLowerCase(Locale.ROOT);
                return name.equals(KEY) || name.equals(KEY_IN_ENVIRONMENT) ? data.withSanitizedValue() : data;
            };
        }
    }
}
