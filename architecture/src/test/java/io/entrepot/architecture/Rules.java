package io.entrepot.architecture;

import static com.tngtech.archunit.lang.SimpleConditionEvent.violated;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import java.io.PrintStream;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** The rules, for any house: the real one, and one that was built badly on purpose to see each rule fail. */
record Rules(House house) {
    /** Where time and chance enter the kernel. Everybody else is handed them. */
    private static final Set<String> SOURCES = Set.of("lease.Ticker", "lease.Nonces", "posix.BootClock");

    private static final Pattern EMPTY_NAME = Pattern
            .compile(".*(Manager|Helper|Helpers|Utils?)|(Abstract|Base)([A-Z].*)?");

    private static final Set<String> UNINJECTED = Set.of(
            target(System.class, "currentTimeMillis"), target(System.class, "nanoTime"), target(Math.class, "random"),
            target(UUID.class, "randomUUID"), target(ThreadLocalRandom.class, "current"));

    List<ArchRule> all() {
        return List.of(everyClassIsInARoom(), arrowsGoDown(), internalsStayInside(), timeAndChanceAreInjected(),
                noConsoleBelowTheEdges(), packagesAreNullMarked(), namesSaySomething());
    }

    ArchRule everyClassIsInARoom() {
        return rule("be in a room that House knows", type -> house.roomOf(type)
                .filter(room -> House.floorOf(room).isEmpty())
                .map(room -> type.getName() + " is in '" + room + "': put that room on a floor in House")
                .stream());
    }

    ArchRule arrowsGoDown() {
        return rule("know only their own room and the floors below",
                type -> type.getDirectDependenciesFromSelf().stream()
                        .filter(d -> !mayKnow(type, d.getTargetClass().getBaseComponentType()))
                        .map(d -> d.getDescription()));
    }

    ArchRule internalsStayInside() {
        return rule("keep out of the internals of other rooms", type -> type.getDirectDependenciesFromSelf().stream()
                .filter(d -> isInternal(d.getTargetClass().getBaseComponentType()))
                .filter(d -> !house.roomOf(d.getTargetClass().getBaseComponentType()).equals(house.roomOf(type)))
                .map(d -> d.getDescription()));
    }

    /** A clock or a dice that a class takes for itself cannot be replaced in a test or a simulation. */
    ArchRule timeAndChanceAreInjected() {
        return rule("be handed time and chance", type -> isBelowTheEdges(type) && !isSource(type)
                ? type.getAccessesFromSelf().stream().filter(Rules::takesTimeOrChance).map(JavaAccess::getDescription)
                : Stream.empty());
    }

    ArchRule noConsoleBelowTheEdges() {
        return rule("log by SLF4J", type -> isBelowTheEdges(type)
                ? type.getDirectDependenciesFromSelf().stream()
                        .filter(d -> d.getTargetClass().getPackageName().equals("java.util.logging")
                                || d.getTargetClass().isEquivalentTo(PrintStream.class))
                        .map(d -> d.getDescription())
                : Stream.empty());
    }

    ArchRule packagesAreNullMarked() {
        return rule("be in a @NullMarked package", type -> type.getPackage().isAnnotatedWith(NullMarked.class)
                ? Stream.empty()
                : Stream.of(type.getName() + " is in a package whose package-info.java lacks @NullMarked"));
    }

    ArchRule namesSaySomething() {
        return rule("have a name that says something", type -> EMPTY_NAME.matcher(type.getSimpleName()).matches()
                ? Stream.of(type.getName() + " says nothing about what it does")
                : Stream.empty());
    }

    private boolean mayKnow(JavaClass from, JavaClass to) {
        var target = house.roomOf(to);
        return target.isEmpty() || house.roomOf(from).filter(room -> House.mayKnow(room, target.get())).isPresent();
    }

    private boolean isInternal(JavaClass type) {
        return house.roomOf(type).isPresent() && (type.getPackageName() + ".").contains(".internal.");
    }

    private boolean isBelowTheEdges(JavaClass type) {
        return house.roomOf(type).flatMap(House::floorOf).filter(floor -> floor != House.Floor.EDGES).isPresent();
    }

    private boolean isSource(JavaClass type) {
        return SOURCES.contains(type.getName().substring(house.root().length() + 1));
    }

    private static boolean takesTimeOrChance(JavaAccess<?> access) {
        if (!(access.getTarget() instanceof CodeUnitAccessTarget target)) {
            return false;
        }
        var owner = target.getOwner();
        var name = target.getName();
        if (UNINJECTED.contains(owner.getName() + "." + name)) {
            return true;
        }
        // With an argument it is a clock or a seed that was handed over.
        return target.getRawParameterTypes().isEmpty()
                && ((name.equals("now") && owner.getPackageName().equals("java.time"))
                        || (name.equals("<init>") && owner.isAssignableTo(Random.class)));
    }

    private static String target(Class<?> owner, String method) {
        return owner.getName() + "." + method;
    }

    private static ArchRule rule(String text, Function<JavaClass, Stream<String>> violations) {
        return classes().should(new ArchCondition<>(text) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                violations.apply(type).forEach(message -> events.add(violated(type, message)));
            }
        });
    }
}
