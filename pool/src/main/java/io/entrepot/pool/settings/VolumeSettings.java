package io.entrepot.pool.settings;

import io.entrepot.config.Entries;
import io.entrepot.config.Kind;
import io.entrepot.config.Section;
import io.entrepot.config.Setting;
import io.entrepot.config.Values;
import io.entrepot.pool.Location;
import io.entrepot.pool.VolumeSpec;
import java.util.List;
import java.util.Optional;

/** {@code [[volume]]}. */
final class VolumeSettings {
    private static final Setting<String> NAME = Setting.of("name", Kind.text(), "For people; unique in the pool.");
    private static final Setting<Location> PATH = Setting.of("path", Kind.place("a path or scheme:place",
            VolumeSettings::elsewhere, Location::of),
            "Its directory, made if there is none, or `scheme:place` where a backend was brought.");
    private static final Setting<Integer> DEPTH = Setting.of("depth", Kind.whole(0, 3),
            "Directories between a tenant's and its files.").or(VolumeSpec.DEFAULT_DEPTH)
            .tooSmall("large directories.").tooLarge("many small ones.");
    private static final Setting<Long> HEADROOM = Setting.of("headroom", Kind.bytes(0, 1L << 60),
            "Bytes that stay free.").or(VolumeSpec.DEFAULT_HEADROOM)
            .tooSmall("the file system runs full and slow.").tooLarge("space is not used.");
    private static final Setting<Boolean> SPARE = Setting.of("spare", Kind.truth(),
            "Mounted, and used only when no other has room, or less than `volumes.spare-below`.").or(false);

    static final Entries<Change> TABLES = new Section<>("volume",
            "Where files are kept. Without any there is one, `main`, in the pool's own directory.",
            List.of(NAME, PATH, DEPTH, HEADROOM, SPARE), VolumeSettings::read).each().distinctBy(NAME)
            .distinctBy(PATH).once();

    private VolumeSettings() {}

    private static Optional<Location> elsewhere(String text) {
        return Optional.of(Change.checked(() -> Location.parse(text))).filter(found -> found.directory().isEmpty());
    }

    private static Change read(Values values) {
        VolumeSpec spec = Change.checked(() -> new VolumeSpec(values.get(NAME), values.get(PATH), values.get(DEPTH),
                values.get(HEADROOM), values.get(SPARE)));
        return config -> config.withVolume(spec);
    }
}
