package io.entrepot.posix.internal;

/** Device numbers as {@code stat} packs them, so that all forms of the calls give the same. */
public final class DeviceNumber {
    private DeviceNumber() {}

    public static long of(int major, int minor) {
        return (major & 0xfffff000L) << 32 | (major & 0xfffL) << 8 | (minor & 0xffffff00L) << 12 | (minor & 0xffL);
    }
}
