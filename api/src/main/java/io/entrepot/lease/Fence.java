package io.entrepot.lease;

import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What every step that depends on a lease carries, so that a step of an old holder can be told from one of the current
 * holder without looking at a clock. The epoch alone would do, were it not for restored backups: they bring an old epoch
 * back, and the nonce then tells the two leases of that epoch apart.
 *
 * <p>The text form is the epoch, a dash and the nonce as 16 hexadecimal digits: {@code 7-3f9a51c07be2d846}. There is one
 * text for each fence, so texts may be compared instead of fences. Immutable.
 */
public record Fence(Epoch epoch, long nonce) {
    private static final Pattern TEXT = Pattern.compile("([1-9][0-9]{0,18})-([0-9a-f]{16})");

    public Fence {
        if (!epoch.isAfter(Epoch.NONE)) {
            throw new IllegalArgumentException(
                    "A fence belongs to a lease that was granted, so its epoch is at least 1");
        }
    }

    /** The fence with this text; {@link IllegalArgumentException} for any text that {@link #toString()} does not give. */
    public static Fence parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw garbage(text);
        }
        try {
            return new Fence(new Epoch(Long.parseLong(parts.group(1))), HexFormat.fromHexDigitsToLong(parts.group(2)));
        } catch (NumberFormatException e) {
            throw garbage(text);
        }
    }

    private static IllegalArgumentException garbage(String text) {
        return new IllegalArgumentException("Not a fence: '" + text + "'; one looks like 7-3f9a51c07be2d846");
    }

    @Override
    public String toString() {
        return epoch + "-" + HexFormat.of().toHexDigits(nonce);
    }
}
