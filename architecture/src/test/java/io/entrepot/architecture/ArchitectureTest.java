package io.entrepot.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules hold for the classes of all modules. */
class ArchitectureTest {
    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(House.ENTREPOT.root());

    @ParameterizedTest
    @MethodSource
    void production_keepsRule(ArchRule rule) {
        rule.check(PRODUCTION);
    }

    static Stream<ArchRule> production_keepsRule() {
        return new Rules(House.ENTREPOT).all().stream();
    }

    /** A class that cannot be read, or a module that is no dependency of this one, would pass every rule. */
    @Test
    void production_isReadFromEveryModule() {
        assertThat(PRODUCTION.stream().map(House.ENTREPOT::roomOf).flatMap(Optional::stream).distinct())
                .contains("lease", "posix", "config", "scan", "store", "queue", "pool", "server", "client", "spring",
                        "cli", "lab", "bench",
                        "chaos");
    }
}
