package io.entrepot.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Lists the sub-commands of a help text under headings, as a list of twenty says little. */
record CommandHeadings(Map<String, List<String>> headings) {
    private static final int INDENT = 2;
    private static final int GAP = 2;

    void applyTo(CommandSpec spec) {
        spec.usageMessage().commandListHeading("");
        spec.usageMessage().sectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, this::render);
    }

    private String render(Help help) {
        Map<String, Help> known = help.subcommands();
        int name = known.keySet().stream().mapToInt(String::length).max().orElse(0);
        int width = help.commandSpec().usageMessage().width();
        StringBuilder text = new StringBuilder();
        forAll(known).forEach((heading, names) -> {
            TextTable table = TextTable.forColumns(help.colorScheme(),
                    new Column(name + INDENT + GAP, INDENT, Overflow.SPAN),
                    new Column(width - name - INDENT - GAP, 0, Overflow.WRAP));
            for (String one : names) {
                table.addRowValues(one, line(Objects.requireNonNull(known.get(one))));
            }
            if (!names.isEmpty()) {
                text.append(System.lineSeparator()).append(heading).append(':').append(System.lineSeparator())
                        .append(table);
            }
        });
        return text.toString();
    }

    /** Those that were given no heading come last. */
    private Map<String, List<String>> forAll(Map<String, Help> known) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        List<String> left = new ArrayList<>(known.keySet());
        headings.forEach((heading, names) -> {
            all.put(heading, names.stream().filter(known::containsKey).toList());
            left.removeAll(names);
        });
        all.put("Others", left);
        return all;
    }

    private static String line(Help help) {
        String[] description = help.commandSpec().usageMessage().description();
        return description.length == 0 ? "" : description[0];
    }
}
