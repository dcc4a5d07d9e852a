package io.entrepot.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each rule finds what it is there to find, in the classes under {@code broken}, and nothing more. */
class RulesCanFailTest {
    private static final House BROKEN = new House("io.entrepot.architecture.broken");
    private static final JavaClasses CLASSES = new ClassFileImporter().importPackages(BROKEN.root());
    private final Rules rules = new Rules(BROKEN);

    @Test
    void unknownRoom_isFound() {
        assertThat(violations(rules.everyClassIsInARoom())).singleElement().asString().contains("attic.Unplaced");
    }

    @Test
    void arrowUpOrSideways_isFound() {
        assertThat(violations(rules.arrowsGoDown()))
                .anyMatch(v -> v.contains("lease.KnowsStore")) // lease knows nobody
                .anyMatch(v -> v.contains("store.KnowsQueue")) // up
                .anyMatch(v -> v.contains("queue.KnowsScan")) // sideways in the kernel
                .anyMatch(v -> v.contains("pool.KnowsView")) // sideways between planes
                .anyMatch(v -> v.contains("view.KnowsPools")) // as an array too
                .noneMatch(v -> v.contains("store.KnowsLease.")) // the one exception
                .noneMatch(v -> v.contains("cli.KnowsAll")); // down, over several floors
    }

    @Test
    void useOfAnothersInternals_isFound() {
        assertThat(violations(rules.internalsStayInside()))
                .isNotEmpty()
                .allMatch(v -> v.contains("queue.ReachesInside"));
    }

    @Test
    void ownClockOrDice_isFound() {
        assertThat(violations(rules.timeAndChanceAreInjected()))
                .allMatch(v -> v.contains("queue.TakesItself"))
                .anyMatch(v -> v.contains("currentTimeMillis"))
                .anyMatch(v -> v.contains("nanoTime"))
                .anyMatch(v -> v.contains("Instant.now"))
                .anyMatch(v -> v.contains("LocalDate.now"))
                .anyMatch(v -> v.contains("Random.<init>()"))
                .anyMatch(v -> v.contains("randomUUID"))
                .hasSize(6); // and neither Instant.now(clock) nor new Random(seed)
    }

    @Test
    void console_isFound() {
        assertThat(violations(rules.noConsoleBelowTheEdges()))
                .allMatch(v -> v.contains("queue.Prints"))
                .anyMatch(v -> v.contains("PrintStream"))
                .anyMatch(v -> v.contains("java.util.logging"));
    }

    @Test
    void packageWithoutNullMarked_isFound() {
        assertThat(violations(rules.packagesAreNullMarked()))
                .allMatch(v -> v.contains("attic"))
                .isNotEmpty();
    }

    @Test
    void emptyName_isFound() {
        assertThat(violations(rules.namesSaySomething()))
                .anyMatch(v -> v.contains("FileManager"))
                .anyMatch(v -> v.contains("AbstractFile"))
                .anyMatch(v -> v.contains("FileUtils"))
                .hasSize(3); // not Baseline
    }

    private static List<String> violations(ArchRule rule) {
        return rule.evaluate(CLASSES).getFailureReport().getDetails();
    }
}
