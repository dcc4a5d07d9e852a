package io.entrepot.cli;

import io.entrepot.config.Configuration;
import io.entrepot.config.Entries;
import io.entrepot.config.Kind;
import io.entrepot.config.Nearest;
import io.entrepot.config.Secret;
import io.entrepot.config.Section;
import io.entrepot.config.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The servers that a user knows, in a file that nobody else can read. */
record Profiles(Path file) {
    private static final Set<PosixFilePermission> OWNER = EnumSet.of(PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);
    private static final Setting<String> NAME = Setting.of("name", Kind.text(), "What it is called.");
    private static final Setting<URI> SERVER = Setting.of("server", Kind.text().as("an address", ServerOption::address,
            URI::toString), "Its address.");
    private static final Setting<Secret> KEY = Setting.of("key", Kind.secret(), "The key.");
    private static final Setting<Optional<Path>> TRUST = Setting.of("trust", Kind.path(), "Certificates, as PEM.")
            .optional();
    private static final Entries<Profile> TABLES = new Section<>("profile", "A server.", List.of(NAME, SERVER, KEY,
            TRUST), values -> new Profile(values.get(NAME), values.get(SERVER), values.get(KEY), values.get(TRUST)))
            .each().distinctBy(NAME);
    private static final Section<List<Profile>> ROOT = Section.root("Servers that a user knows.", List.of(TABLES),
            values -> values.get(TABLES));

    /** Where programs keep such things: {@code ~/.config/entrepot/profiles.toml}. */
    static Profiles ofUser() {
        String configured = Optional.ofNullable(System.getenv("XDG_CONFIG_HOME")).orElse("");
        Path base = configured.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".config")
                : Path.of(configured);
        return new Profiles(base.resolve("entrepot").resolve("profiles.toml"));
    }

    /** @throws Failure if others may read the file: the keys in it are theirs as well then */
    List<Profile> all() {
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            Set<PosixFilePermission> more = EnumSet.copyOf(OWNER);
            more.addAll(Files.getPosixFilePermissions(file));
            if (!OWNER.containsAll(more)) {
                throw new Failure("profiles.readable-by-others", file + " has keys in it and can be read by others: do"
                        + " 'chmod 600 " + file + "', and make new keys if somebody may have seen them");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Configuration.read(ROOT, file).value();
    }

    Profile get(String name) {
        List<Profile> all = all();
        return all.stream().filter(profile -> profile.name().equals(name)).findFirst().orElseThrow(
                () -> new Failure("profiles.not-found", "there is no profile " + name + " in " + file
                        + Nearest.to(name, all.stream().map(Profile::name).toList())
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("; 'entrepot login " + name + " URL' makes it"),
                        ExitCode.USAGE));
    }

    /** Adds or replaces one. The file is the old or the new one, whatever happens. */
    void put(Profile profile) {
        List<Profile> all = new ArrayList<>(all());
        all.removeIf(other -> other.name().equals(profile.name()));
        all.add(profile);
        StringBuilder text = new StringBuilder("# Written by 'entrepot login'. The keys in it are secrets.\n");
        all.forEach(one -> append(text, one));
        try {
            Path directory = Files.createDirectories(file.toAbsolutePath().getParent());
            Path next = Files.createTempFile(directory, "profiles", ".next", PosixFilePermissions
                    .asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(next, text);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void append(StringBuilder text, Profile profile) {
        text.append("\n[[profile]]\n");
        line(text, "name", profile.name());
        line(text, "server", profile.server().toString());
        line(text, "key", profile.key().text());
        profile.trust().ifPresent(path -> line(text, "trust", path.toString()));
    }

    /** A text of TOML is written as one of JSON. */
    private static void line(StringBuilder text, String name, String value) {
        text.append(name).append(" = ").append(JsonText.of(value)).append('\n');
    }
}
