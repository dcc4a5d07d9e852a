package io.entrepot.spring.embedded;

import io.entrepot.pool.FilePool;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.TenantId;
import io.entrepot.spring.EntrepotAutoConfiguration;
import io.entrepot.spring.EntrepotProperties;
import io.entrepot.spring.EntrepotSetupException;
import java.nio.file.Path;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnJava;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.system.JavaVersion;
import org.springframework.context.annotation.Bean;

/**
 * The pool in this process. These classes are of Java 25: on an older one Spring reads their conditions and does not load them, and
 * the starter says what is missing.
 */
@AutoConfiguration(before = EntrepotAutoConfiguration.class)
@ConditionalOnJava(JavaVersion.TWENTY_FIVE)
@ConditionalOnProperty("entrepot.embedded.directory")
@EnableConfigurationProperties(EntrepotProperties.class)
public class EmbeddedPoolAutoConfiguration {

    EmbeddedPoolAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(FilePool.class)
    Pool entrepotPool(EntrepotProperties properties) throws InterruptedException {
        EntrepotProperties.Embedded embedded = properties.embedded();
        Path directory = embedded.directory();
        if (directory == null) {
            throw new EntrepotSetupException("entrepot.embedded.directory is empty.", "Set it to a directory.");
        }
        try {
            List<TenantId> tenants = embedded.tenants().stream().map(TenantId::new).toList();
            return Pool.open(PoolConfig.in(directory).withTenants(tenants)
                    .withAutoCreateTenants(embedded.autoCreateTenants()));
        } catch (IllegalArgumentException e) {
            throw new EntrepotSetupException("entrepot.embedded is not right: " + e.getMessage(),
                    "Correct the property.", e);
        } catch (PoolException e) {
            throw new EntrepotSetupException("The pool in " + directory + " cannot be opened: " + e.getMessage() + " ("
                    + e.code() + ")",
                    "See that no other process has it open, and that this one may write there.", e);
        }
    }
}
