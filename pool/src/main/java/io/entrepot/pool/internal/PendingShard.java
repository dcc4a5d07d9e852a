package io.entrepot.pool.internal;

import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.store.NotDoneException;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * That the shard of one tenant is being recovered, written down before it is replaced: the new one is sound, so after a crash
 * nothing else says that its files are still to be looked for.
 *
 * @param settings what was known of the tenant, which went with the shard
 */
record PendingShard(Path directory, TenantId tenant, String cause, Path aside, Optional<Tenant> settings) {
    private static final String PREFIX = "entrepot.recovering-";
    /** What is half written has another one. */
    private static final String SUFFIX = ".shard";

    static List<PendingShard> in(Path directory) {
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(file -> file.getFileName().toString().startsWith(PREFIX)
                    && file.getFileName().toString().endsWith(SUFFIX)).sorted().toList();
        } catch (IOException e) {
            throw NotDoneException.io(directory + " cannot be read", e);
        }
        List<PendingShard> pending = new ArrayList<>();
        files.forEach(file -> pending.add(read(directory, file)));
        return pending;
    }

    private static PendingShard read(Path directory, Path file) {
        String name = file.getFileName().toString();
        TenantId tenant = new TenantId(name.substring(PREFIX.length(), name.length() - SUFFIX.length()));
        Properties all = new Properties();
        try {
            all.load(new StringReader(Files.readString(file)));
        } catch (IOException e) {
            throw NotDoneException.io(file + " cannot be read", e);
        }
        return new PendingShard(directory, tenant, all.getProperty("cause", ""),
                directory.resolve(all.getProperty("aside", "damaged")),
                Settings.decode(all.getProperty("settings", ""))
                        .flatMap(found -> found.tenants().stream().findFirst()));
    }

    void save() {
        Properties all = new Properties();
        all.setProperty("cause", cause);
        all.setProperty("aside", aside.getFileName().toString());
        settings.ifPresent(known -> all.setProperty("settings",
                new Settings(0, List.of(known), List.of(), List.of(), Optional.empty()).encode()));
        StringWriter text = new StringWriter();
        try {
            all.store(text, "The shard of a tenant is being recovered; that is completed when the pool is opened");
            DurableText.write(file(), text.toString());
        } catch (IOException e) {
            throw NotDoneException.io("that a recovery has begun cannot be written down in " + directory, e);
        }
    }

    void end() {
        try {
            DurableText.delete(file());
        } catch (IOException e) {
            throw NotDoneException.io("that a recovery has ended cannot be written down in " + directory, e);
        }
    }

    private Path file() {
        return directory.resolve(PREFIX + tenant + SUFFIX);
    }
}
