package io.entrepot.cli;

import io.entrepot.cli.access.PoolAccess;
import io.entrepot.pool.DirectoryUsage;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.Recount;
import io.entrepot.pool.TenantId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** How many files a logical directory may have, and has. */
@Command(name = "quota", addMethodSubcommands = false,
        description = {"Limit how many files logical directories may have.",
                "What a tenant may have in all is set by 'entrepot pool tenants limits'."})
final class QuotaCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    @Command(description = "All rules.")
    int list(@Mixin OnPool on) throws InterruptedException {
        try (PoolAccess pool = on.reachExisting()) {
            Columns table = new Columns("PATTERN", "MAX FILES", "WARNS AT", "BELOW", "").right(1, 2);
            for (QuotaRule rule : pool.quotas().rules()) {
                table.row(rule.pattern(), rule.maxFiles(), rule.warnPercent() == 0 ? "-" : rule.warnPercent() + "%",
                        rule.inherited() ? "each" : "no", rule.enabled() ? "" : "off");
                if (on.json) {
                    on.out().println(json(rule));
                }
            }
            on.print(table);
        }
        return ExitCode.OK;
    }

    @Command(description = {"Make or replace a rule. It counts from the next file on; what is there stays.",
            "The pattern is matched against tenant/directory: * is anything within a part, ** anything at all."})
    int set(@Mixin OnPool on, @Parameters(paramLabel = "PATTERN", description = "As acme/in/*.") String pattern,
            @Parameters(paramLabel = "MAX", description = "How many files each such directory may have.") long max,
            @Option(names = "--warn", paramLabel = "PERCENT", defaultValue = "80",
                    description = "An event says when one has more than that (default: ${DEFAULT-VALUE}; 0 never).") int warn,
            @Option(names = "--no-inherit", description = "Only where it matches, not below.") boolean notBelow,
            @Option(names = "--off", description = "Keep it, but let it hold nowhere.") boolean off)
            throws InterruptedException {
        QuotaRule rule = new QuotaRule(pattern, max, warn, !notBelow, !off);
        try (PoolAccess pool = on.reachExisting()) {
            pool.quotas().set(rule);
            on.answer("set  " + pattern, json(rule));
            if (pool.tenants().list().stream().noneMatch(tenant -> matches(pattern, tenant.id()))) {
                String first = firstPart(pattern);
                on.say("there is no tenant " + first + " now, and patterns begin with the tenant: if " + first
                        + " is a directory, write TENANT/" + pattern + ", or */" + pattern + " for all tenants");
            }
        }
        return ExitCode.OK;
    }

    /** Whether it could hold for a directory of that tenant. */
    private static boolean matches(String pattern, TenantId tenant) {
        return Pattern.matches(Arrays.stream(firstPart(pattern).split("\\*+", -1)).map(Pattern::quote)
                .collect(Collectors.joining(".*")), tenant.name());
    }

    private static String firstPart(String pattern) {
        return pattern.split("/", 2)[0];
    }

    @Command(description = "Remove a rule.")
    int remove(@Mixin OnPool on, @Parameters(paramLabel = "PATTERN") String pattern) throws InterruptedException {
        try (PoolAccess pool = on.reachExisting()) {
            if (!pool.quotas().remove(pattern)) {
                throw new Failure("quota.no-such-rule", "there is no rule for " + pattern);
            }
            on.answer("removed  " + pattern, new JsonObject().with("pattern", pattern).with("removed", true));
        }
        return ExitCode.OK;
    }

    @Command(description = "The directories of a tenant that have files, and which rule holds for each.")
    int usage(@Mixin OnPool on, @Mixin TenantOption tenant) throws InterruptedException {
        try (PoolAccess pool = on.reachExisting()) {
            Columns table = new Columns("DIRECTORY", "FILES", "MAX FILES", "RULE").right(1, 2);
            for (DirectoryUsage usage : pool.quotas().usage(tenant.id())) {
                table.row(usage.directory(), usage.files(),
                        usage.rule().map(rule -> Long.toString(rule.maxFiles())).orElse("-"),
                        usage.rule().map(QuotaRule::pattern).orElse("-"));
                if (on.json) {
                    on.out().println(new JsonObject().with("directory", usage.directory())
                            .with("files", usage.files()).with("maxFiles", usage.rule().map(QuotaRule::maxFiles))
                            .with("rule", usage.rule().map(QuotaRule::pattern)));
                }
            }
            on.print(table);
        }
        return ExitCode.OK;
    }

    @Command(description = {
            "Count all files of a tenant and put its counters right, if they are not; those of the volumes too.",
            "Others wait while the files are counted."})
    int recount(@Mixin OnPool on, @Mixin TenantOption tenant) throws InterruptedException {
        try (PoolAccess pool = on.reachExisting()) {
            Recount found = pool.quotas().recount(tenant.id());
            List<String> corrections = new ArrayList<>(found.corrections());
            corrections.addAll(pool.volumes().recount());
            StringBuilder text = new StringBuilder(found.files() + " files, " + Sizes.of(found.bytes()) + ": "
                    + (corrections.isEmpty() ? "all counters were right" : "put right:"));
            corrections.forEach(one -> text.append(System.lineSeparator()).append("  ").append(one));
            on.answer(text.toString(), new JsonObject().with("tenant", found.tenant()).with("files", found.files())
                    .with("bytes", found.bytes()).with("corrections", corrections));
        }
        return ExitCode.OK;
    }

    private static JsonObject json(QuotaRule rule) {
        return new JsonObject().with("pattern", rule.pattern()).with("maxFiles", rule.maxFiles())
                .with("warnPercent", rule.warnPercent()).with("inherited", rule.inherited())
                .with("enabled", rule.enabled());
    }
}
