package io.entrepot.cli;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The table of commands. Only what was asked for is read from annotations, so that a start does not get slower with
 * every new command (each costs about 10 ms): the command, and of its sub-commands the one named. Help and suggestions
 * get to see all that they list.
 */
record Commands(Map<String, Supplier<CommandSpec>> table) {
    /** What picocli puts for a name that was not given. */
    private static final String NOT_NAMED = "<main class>";

    /** What is under which heading in the help. */
    static final Map<String, List<String>> HEADINGS = headings();

    /** To add a command, write a class like {@link StoreCommand}, and add a line here and a word in the headings. */
    static Commands all() {
        var table = new LinkedHashMap<String, Supplier<CommandSpec>>();
        table.put("demo", () -> CommandSpec.forAnnotatedObject(new DemoCommand()));
        table.put("pool", () -> CommandSpec.forAnnotatedObject(new PoolCommand()));
        table.put("work", () -> CommandSpec.forAnnotatedObject(new WorkCommand()));
        table.put("tail", () -> CommandSpec.forAnnotatedObject(new TailCommand()));
        table.put("top", () -> CommandSpec.forAnnotatedObject(new TopCommand()));
        table.put("serve", () -> CommandSpec.forAnnotatedObject(new ServeCommand()));
        table.put("login", () -> CommandSpec.forAnnotatedObject(new LoginCommand()));
        table.put("keys", () -> CommandSpec.forAnnotatedObject(new KeysCommand()));
        table.put("config", () -> CommandSpec.forAnnotatedObject(new ConfigCommand()));
        table.put("queue", () -> CommandSpec.forAnnotatedObject(new QueueCommand()));
        table.put("store", () -> CommandSpec.forAnnotatedObject(new StoreCommand()));
        table.put("scan", () -> CommandSpec.forAnnotatedObject(new ScanCommand()));
        table.put("watch", () -> CommandSpec.forAnnotatedObject(new WatchCommand()));
        table.put("bench", () -> new LaunchedCommand("bench").spec("Measure against peers and limits."));
        table.put("chaos", () -> new LaunchedCommand("chaos").spec("Crash it, cut its power, check what it promised."));
        table.put("completion", () -> CommandSpec.forAnnotatedObject(new CompletionCommand()));
        table.put("help", () -> new HelpCommand().spec());
        return new Commands(table);
    }

    private static Map<String, List<String>> headings() {
        var headings = new LinkedHashMap<String, List<String>>();
        headings.put("See it work", List.of("demo", "help", "completion"));
        headings.put("Files", List.of("pool", "work", "tail", "top"));
        headings.put("Over HTTP", List.of("serve", "keys", "login", "config"));
        headings.put("Directories of others", List.of("scan", "watch"));
        headings.put("What the pool stands on", List.of("queue", "store"));
        headings.put("Proof", List.of("bench", "chaos"));
        return headings;
    }

    CommandSpec specFor(String... args) {
        var words = Arrays.stream(args).filter(a -> !a.startsWith("-")).toList();
        var root = new Entrepot().spec(needed(words, List.of(args).contains("--version")));
        var path = word(words, 0).equals("help") ? words.subList(1, words.size()) : words;
        var command = root.subcommands().get(word(path, 0));
        if (command != null) {
            grow(command.getCommandSpec(), path.subList(1, path.size()));
        }
        return root;
    }

    /** Every command with all that is below it. */
    CommandSpec whole() {
        var root = new Entrepot().spec(table);
        root.subcommands().values().forEach(command -> growAll(command.getCommandSpec()));
        return root;
    }

    private static void growAll(CommandSpec spec) {
        if (spec.userObject() instanceof CommandGroup group) {
            group.commands().forEach((name, command) -> {
                var below = command.get();
                growAll(below);
                spec.addSubcommand(name, below);
            });
        }
        if (spec.userObject() != null) {
            boolean _ = addMethods(spec, "");
        }
    }

    /** The first word, if it is a command; but help may be about any of them, and the version about none. */
    private Map<String, Supplier<CommandSpec>> needed(List<String> words, boolean version) {
        var name = word(words, 0);
        var command = table.get(name);
        if (command == null || name.equals("help")) {
            return words.isEmpty() && version ? Map.of() : table;
        }
        return Map.of(name, command);
    }

    /** Adds the sub-command that is named, with what the path names below it; all of them if it names none of them. */
    private static void grow(CommandSpec spec, List<String> path) {
        var name = word(path, 0);
        if (spec.userObject() instanceof CommandGroup group) {
            new CommandHeadings(group.headings()).applyTo(spec);
            var named = group.commands().get(name);
            if (named != null) {
                var below = named.get();
                grow(below, path.subList(1, path.size()));
                spec.addSubcommand(name, below);
                return;
            }
            if (addMethods(spec, name)) {
                return;
            }
            group.commands().forEach((other, command) -> spec.addSubcommand(other, command.get()));
        } else {
            boolean _ = addMethods(spec, name);
        }
    }

    /** Adds the methods that are sub-commands (picocli has been told to leave them): the one of that name, or all. */
    private static boolean addMethods(CommandSpec spec, String name) {
        var methods = CommandLine.getCommandMethods(spec.userObject().getClass(), null);
        var named = methods.stream().filter(method -> nameOf(method).equals(name)).toList();
        for (var method : named.isEmpty() ? methods : named) {
            spec.addSubcommand(nameOf(method), new CommandLine(method));
        }
        return !named.isEmpty();
    }

    private static String nameOf(Method method) {
        var name = Objects.requireNonNull(method.getAnnotation(Command.class)).name();
        return name.equals(NOT_NAMED) ? method.getName() : name;
    }

    private static String word(List<String> words, int index) {
        return index < words.size() ? words.get(index) : "";
    }
}
