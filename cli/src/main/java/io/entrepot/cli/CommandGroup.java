package io.entrepot.cli;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/** A command whose sub-commands are classes of their own, beside those that are its methods. */
interface CommandGroup {

    /** By name, in any order. */
    Map<String, Supplier<CommandSpec>> commands();

    /** The headings of its help, with the names of the sub-commands under each. */
    Map<String, List<String>> headings();
}
