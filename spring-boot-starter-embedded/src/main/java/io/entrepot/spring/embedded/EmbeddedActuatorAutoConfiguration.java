package io.entrepot.spring.embedded;

import io.entrepot.pool.Pool;
import io.entrepot.pool.metrics.PoolMetrics;
import io.entrepot.spring.EntrepotAutoConfiguration;
import io.entrepot.spring.FileHandlers;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnJava;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.system.JavaVersion;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What an application shows of a pool in its process, be it ours or one that it has opened itself. */
@AutoConfiguration(after = {EmbeddedPoolAutoConfiguration.class, EntrepotAutoConfiguration.class})
@ConditionalOnJava(JavaVersion.TWENTY_FIVE)
public class EmbeddedActuatorAutoConfiguration {

    EmbeddedActuatorAutoConfiguration() {}

    /** For applications that have figures. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Metrics {

        /** Bound by Spring Boot to every registry; closed before the pool is. */
        @Bean
        @ConditionalOnBean(Pool.class)
        @ConditionalOnMissingBean
        PoolMetrics entrepotPoolMetrics(Pool pool) {
            return new PoolMetrics(pool);
        }
    }

    /** For applications that have health. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class PoolHealth {

        @Bean
        @ConditionalOnBean(Pool.class)
        @ConditionalOnEnabledHealthIndicator("entrepot")
        @ConditionalOnMissingBean(name = "entrepotHealthIndicator")
        PoolHealthIndicator entrepotHealthIndicator(Pool pool, FileHandlers handlers) {
            return new PoolHealthIndicator(pool, handlers);
        }
    }
}
