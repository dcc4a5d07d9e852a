package io.entrepot.pool;

import java.util.OptionalLong;

/**
 * How much a tenant may have.
 *
 * @param files       none if empty
 * @param bytes       none if empty
 * @param warnPercent when it has more than so much of either, an event says so; 0 never does
 */
public record TenantLimits(OptionalLong files, OptionalLong bytes, int warnPercent) {
    public static final TenantLimits NONE = new TenantLimits(OptionalLong.empty(), OptionalLong.empty(), 80);

    public TenantLimits {
        if (files.orElse(0) < 0 || bytes.orElse(0) < 0 || warnPercent < 0 || warnPercent > 100) {
            throw new InvalidSettingException("limits are not negative, and a warning comes at 0 to 100 percent");
        }
    }

    /** Whether a file of so many bytes can be there at all, if the tenant has nothing else. */
    public boolean admit(long size) {
        return bytes.isEmpty() || size <= bytes.getAsLong();
    }

    public TenantLimits withFiles(long most) {
        return new TenantLimits(OptionalLong.of(most), bytes, warnPercent);
    }

    public TenantLimits withBytes(long most) {
        return new TenantLimits(files, OptionalLong.of(most), warnPercent);
    }

    public TenantLimits warningAt(int percent) {
        return new TenantLimits(files, bytes, percent);
    }
}
