package io.entrepot.pool.internal;

import io.entrepot.pool.Location;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.VolumeState;
import io.entrepot.queue.RetryPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What people have decided: tenants, rules, volumes, watchers. All of it is in the database; this is the form in which it is also kept
 * elsewhere, so that it is not lost with it.
 *
 * <p>As a text: a line for each, its parts separated by tabs; the first line says which form it is, the last one has a
 * checksum of the others.
 *
 * @param version  grows with every change
 * @param watchers nothing if they were written down when watchers were not
 */
record Settings(long version, List<Tenant> tenants, List<QuotaRule> rules, List<Volume> volumes,
        Optional<List<Watcher>> watchers) {
    static final Settings NONE = new Settings(0, List.of(), List.of(), List.of(), Optional.empty());
    private static final String FORM = "entrepot settings 1";
    private static final String NOTHING = "-";

    /** A volume with the number that rows know it by. */
    record Volume(long number, String name, String identity, Location location, VolumeState state, int depth,
            long headroom, Instant mounted) {

        Volume at(Location another) {
            return new Volume(number, name, identity, another, state, depth, headroom, mounted);
        }
    }

    /** A watcher, as its row has it: see {@link WatcherRows}. */
    record Watcher(List<Optional<String>> columns) {

        Watcher {
            columns = List.copyOf(columns);
        }
    }

    Settings {
        tenants = List.copyOf(tenants);
        rules = List.copyOf(rules);
        volumes = List.copyOf(volumes);
        watchers = watchers.map(List::copyOf);
    }

    Settings withVersion(long value) {
        return new Settings(value, tenants, rules, volumes, watchers);
    }

    String encode() {
        StringBuilder text = new StringBuilder(FORM).append('\n');
        line(text, "version", version);
        for (Volume volume : volumes) {
            line(text, "volume", volume.number, volume.name, volume.identity, volume.location, volume.state,
                    volume.depth, volume.headroom, volume.mounted.toEpochMilli());
        }
        for (QuotaRule rule : rules) {
            line(text, "quota", rule.pattern(), rule.maxFiles(), rule.warnPercent(), rule.inherited(), rule.enabled());
        }
        for (Tenant tenant : tenants) {
            line(text, "tenant", tenant.id(), tenant.status(), tenant.paused(), tenant.sharded(),
                    tenant.created().toEpochMilli(), optional(tenant.limits().files()),
                    optional(tenant.limits().bytes()), tenant.limits().warnPercent(),
                    tenant.retry().map(Settings::retry).orElse(NOTHING));
        }
        watchers.ifPresent(all -> {
            line(text, "watchers", all.size());
            all.forEach(watcher -> line(text, "watcher", watcher.columns.stream()
                    .map(column -> column.map(value -> "=" + value).orElse(NOTHING)).toArray()));
        });
        String lines = text.toString();
        return lines + "sum\t" + sum(lines) + "\n";
    }

    /** Nothing if it is not whole, or of a form that is not known here. */
    static Optional<Settings> decode(String text) {
        int end = text.lastIndexOf("sum\t");
        if (!text.startsWith(FORM + "\n") || end < 0
                || !text.substring(end).equals("sum\t" + sum(text.substring(0, end)) + "\n")) {
            return Optional.empty();
        }
        long version = 0;
        List<Tenant> tenants = new ArrayList<>();
        List<QuotaRule> rules = new ArrayList<>();
        List<Volume> volumes = new ArrayList<>();
        List<Watcher> watchers = new ArrayList<>();
        boolean watched = false;
        for (String line : text.substring(0, end).lines().skip(1).toList()) {
            List<String> parts = split(line);
            switch (parts.getFirst()) {
                case "version" -> version = Long.parseLong(parts.get(1));
                case "tenant" -> tenants.add(tenant(parts));
                case "quota" -> rules.add(new QuotaRule(parts.get(1), Long.parseLong(parts.get(2)),
                        Integer.parseInt(parts.get(3)), Boolean.parseBoolean(parts.get(4)),
                        Boolean.parseBoolean(parts.get(5))));
                case "volume" -> volumes.add(volume(parts));
                case "watchers" -> watched = true;
                case "watcher" -> watchers.add(new Watcher(parts.stream().skip(1)
                        .map(part -> part.equals(NOTHING) ? Optional.<String>empty() : Optional.of(part.substring(1)))
                        .toList()));
                default -> {
                    // of a later version that thought we could do without it
                }
            }
        }
        return Optional.of(new Settings(version, tenants, rules, volumes,
                watched ? Optional.of(watchers) : Optional.empty()));
    }

    private static Tenant tenant(List<String> parts) {
        Optional<RetryPolicy> retry = Optional.of(parts.get(9)).filter(value -> !value.equals(NOTHING)).map(value -> {
            String[] each = value.split(",", -1);
            return new RetryPolicy(Duration.ofMillis(Long.parseLong(each[0])),
                    Duration.ofMillis(Long.parseLong(each[1])), Integer.parseInt(each[2]),
                    Boolean.parseBoolean(each[3]));
        });
        return new Tenant(new TenantId(parts.get(1)), TenantStatus.valueOf(parts.get(2)),
                Boolean.parseBoolean(parts.get(3)), new TenantLimits(optional(parts.get(6)), optional(parts.get(7)),
                        Integer.parseInt(parts.get(8))),
                retry, Instant.ofEpochMilli(Long.parseLong(parts.get(5))), Boolean.parseBoolean(parts.get(4)));
    }

    private static Volume volume(List<String> parts) {
        return new Volume(Long.parseLong(parts.get(1)), parts.get(2), parts.get(3), Location.parse(parts.get(4)),
                VolumeState.valueOf(parts.get(5)), Integer.parseInt(parts.get(6)), Long.parseLong(parts.get(7)),
                Instant.ofEpochMilli(Long.parseLong(parts.get(8))));
    }

    private static String retry(RetryPolicy retry) {
        return retry.initial().toMillis() + "," + retry.max().toMillis() + "," + retry.attempts() + ","
                + retry.exponential();
    }

    private static String optional(OptionalLong value) {
        return value.isPresent() ? String.valueOf(value.getAsLong()) : NOTHING;
    }

    private static OptionalLong optional(String value) {
        return value.equals(NOTHING) ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(value));
    }

    private static void line(StringBuilder text, String what, Object... parts) {
        text.append(what);
        for (Object part : parts) {
            text.append('\t').append(part.toString().replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
                    .replace("\r", "\\r"));
        }
        text.append('\n');
    }

    private static List<String> split(String line) {
        List<String> parts = new ArrayList<>();
        for (String part : line.split("\t", -1)) {
            StringBuilder plain = new StringBuilder();
            for (int i = 0; i < part.length(); i++) {
                char c = part.charAt(i);
                if (c == '\\' && i + 1 < part.length()) {
                    char escaped = part.charAt(++i);
                    plain.append(escaped == 't' ? '\t' : escaped == 'n' ? '\n' : escaped == 'r' ? '\r' : escaped);
                } else {
                    plain.append(c);
                }
            }
            parts.add(plain.toString());
        }
        return parts;
    }

    private static String sum(String text) {
        return new Sha256(Sha256.digest().digest(text.getBytes(StandardCharsets.UTF_8))).toString();
    }
}
