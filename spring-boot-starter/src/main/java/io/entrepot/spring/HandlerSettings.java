package io.entrepot.spring;

import io.entrepot.pool.PoolException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.process.ProcessOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.StringUtils;

/**
 * What an annotation and the properties together say about a method.
 *
 * @param resolver of placeholders
 */
record HandlerSettings(EntrepotProperties properties, String application,
        UnaryOperator<@Nullable String> resolver) {

    /** @throws EntrepotSetupException if they make no sense */
    ProcessOptions of(FileHandler annotation, String name) {
        try {
            EntrepotProperties.Worker worker = properties.worker();
            List<TenantId> tenants = tenants(annotation);
            String own = text(annotation.worker());
            Duration term = Optional.of(text(annotation.term())).filter(StringUtils::hasText)
                    .map(DurationStyle::detectAndParse).orElse(worker.term());
            return new ProcessOptions(tenants, concurrency(annotation), own.isEmpty() ? called(name) : own, term,
                    annotation.keep(), worker.patience(), 0);
        } catch (IllegalArgumentException | PoolException e) {
            throw new EntrepotSetupException("@FileHandler on " + name + " is not right: " + e.getMessage(),
                    "Correct the annotation, or the properties that it or entrepot.worker names.", e);
        }
    }

    private List<TenantId> tenants(FileHandler annotation) {
        List<TenantId> named = Stream.of(annotation.tenant()).map(this::text)
                .flatMap(text -> Stream.of(StringUtils.commaDelimitedListToStringArray(text))).map(String::strip)
                .map(TenantId::new).distinct().toList();
        return named.isEmpty() ? List.of(new TenantId(properties.tenant())) : named;
    }

    private int concurrency(FileHandler annotation) {
        String text = text(annotation.concurrencyString());
        if (text.isEmpty()) {
            return annotation.concurrency() == 0 ? properties.worker().concurrency() : annotation.concurrency();
        }
        if (annotation.concurrency() != 0) {
            throw new IllegalArgumentException("concurrency and concurrencyString are both set");
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("concurrencyString is \"" + text + "\", which is no number", e);
        }
    }

    private String called(String name) {
        String who = properties.worker().name();
        return (who == null || who.isBlank() ? application : who) + "/" + name + "-" + ProcessHandle.current().pid();
    }

    private String text(String written) {
        String resolved = resolver.apply(written);
        return resolved == null ? "" : resolved.strip();
    }
}
