package io.entrepot.pool.volume;

import java.io.IOException;

/** Says inside of a call on the mount's threads, which throw {@link IOException} only, what {@link VolumeException} it becomes. */
final class Fault extends IOException {
    private final VolumeException.Kind kind;

    Fault(VolumeException.Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    VolumeException.Kind kind() {
        return kind;
    }

    static Fault notTheVolume(String message) {
        return new Fault(VolumeException.Kind.NOT_THE_VOLUME, message);
    }
}
