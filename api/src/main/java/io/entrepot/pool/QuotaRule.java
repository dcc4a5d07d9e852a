package io.entrepot.pool;

import java.util.regex.Pattern;

/**
 * How many files a logical directory may have.
 *
 * @param pattern     matched against {@code tenant/directory}, the tenant alone for its root; {@code *} is anything within a
 *                    part, {@code **} anything at all
 * @param warnPercent when it has more than so much, an event says so; 0 never does
 * @param inherited   it also holds for each directory below one that matches, unless a rule of its own does
 * @param enabled     a rule that is switched off holds nowhere
 */
public record QuotaRule(String pattern, long maxFiles, int warnPercent, boolean inherited, boolean enabled) {

    public QuotaRule {
        if (pattern.isBlank() || pattern.length() > 600 || pattern.startsWith("/") || pattern.endsWith("/")) {
            throw new InvalidSettingException("\"" + pattern + "\" is not a pattern for directories: write it as"
                    + " tenant/a/b, with * for anything within a part and ** for anything at all");
        }
        if (maxFiles < 0 || warnPercent < 0 || warnPercent > 100) {
            throw new InvalidSettingException("a limit is not negative, and a warning comes at 0 to 100 percent");
        }
    }

    public static QuotaRule of(String pattern, long maxFiles) {
        return new QuotaRule(pattern, maxFiles, 80, true, true);
    }

    public QuotaRule warningAt(int percent) {
        return new QuotaRule(pattern, maxFiles, percent, inherited, enabled);
    }

    public QuotaRule withInherited(boolean value) {
        return new QuotaRule(pattern, maxFiles, warnPercent, value, enabled);
    }

    public QuotaRule withEnabled(boolean value) {
        return new QuotaRule(pattern, maxFiles, warnPercent, inherited, value);
    }

    /** The text that patterns are matched against. */
    public static String subject(TenantId tenant, LogicalDirectory directory) {
        return directory.equals(LogicalDirectory.ROOT) ? tenant.name() : tenant + "/" + directory;
    }

    /** The pattern as a regular expression. */
    public Pattern compiled() {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c != '*') {
                regex.append(Pattern.quote(String.valueOf(c)));
            } else if (i + 1 < pattern.length() && pattern.charAt(i + 1) == '*') {
                regex.append(".*");
                i++;
            } else {
                regex.append("[^/]*");
            }
        }
        return Pattern.compile(regex.toString());
    }

    /** How much of the pattern is not a wildcard: of two rules that match, the one with more holds. */
    public int literals() {
        return (int) pattern.chars().filter(c -> c != '*').count();
    }
}
