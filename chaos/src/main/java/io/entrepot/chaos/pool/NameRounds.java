package io.entrepot.chaos.pool;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.lab.DiskOptions;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.InvalidNameException;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.TenantExistsException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.queue.RetryPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Names that lead elsewhere, end early, mean something to a system, are far too long, look like others, or are not even text:
 * everywhere where a name can be given, in watched folders too. Each is refused in words or kept as it is, and no byte lands outside
 * of the volumes.
 */
final class NameRounds {
    private static final List<String> HOSTILE = List.of("../../etc/passwd", "..", ".", "/", "//", "a/../../b", "/etc/x",
            "a\0b", "\0", "line\nbreak", "tab\there", "CON", "nul.txt", "aux", "lpt1.tar.gz", ".entrepot",
            ".entrepot/volume", ".entrepot/incoming/x", "-rf", "--help", "n".repeat(255), "n".repeat(256),
            "n".repeat(10_000), "x." + "e".repeat(300), "x." + "e".repeat(200), "A.TXT", "a.txt", "a.TXT", "😀",
            "😀.😀", "😀".repeat(100) + ".txt", "🇨🇳/👩‍👩‍👧", "\u202Efdp.exe", "\u00E9.txt", "e\u0301.txt", "\uD800",
            "half\uDC00.txt", "\uFFFF", "\uFEFF", " ", "ends with a blank ", "ends with a dot.", "...", "\\..\\..\\x",
            "C:\\windows\\x", "%2e%2e%2f", "'; DROP TABLE file; --", "\"quoted\"", "$(touch pwned)", "`id`", "~root",
            "file:///etc/passwd", "a*?[b]", "key.tar.gz", ".hidden", "name.with\\backslash", "%s%n%d", "<b>&amp;");
    private static final Pattern OURS = Pattern.compile(
            "\\.entrepot(/volume|/settings|/incoming(/.*)?)?|[a-z0-9][a-z0-9._-]{0,62}(/[0-9a-f]{2}){0,3}(/[0-9a-f]{32}(\\.[A-Za-z0-9]{1,16})?)?");

    /** What is refused is tried again before it is parked, and that is waited for. */
    private static final RetryPolicy AT_ONCE = RetryPolicy.fixed(Duration.ofMillis(1), 3);

    private final ChaosRun run;
    private final List<Kept> kept = new ArrayList<>();

    /** What was taken, and how it is known again. */
    private record Kept(TenantId tenant, FileKey key, String name, Predicate<FileInfo> asGiven) {}

    NameRounds(ChaosRun run) {
        this.run = run;
    }

    private interface Attempt {
        void make() throws IOException, InterruptedException;
    }

    void run() throws IOException, InterruptedException {
        run.progress().say("hostile names");
        Path directory = Files.createTempDirectory(DiskOptions.memory(), "entrepot-names");
        try {
            Path inside = Files.createDirectory(directory.resolve("inside"));
            Path outside = Files.createDirectory(directory.resolve("outside"));
            Files.writeString(outside.resolve("canary"), "alive");
            PoolConfig config = PoolConfig.in(inside.resolve("db"))
                    .withVolume(VolumeSpec.of("v0", inside.resolve("v0")).withHeadroom(0)).withRetry(AT_ONCE);
            try (Pool pool = Pool.open(config)) {
                HOSTILE.forEach(name -> everywhere(pool, name));
                look(pool);
                new WatchedNames(run, Files.createDirectory(directory.resolve("watched"))).importAll(pool, HOSTILE);
            }
            try (Pool pool = Pool.open(config)) {
                look(pool);
            }
            onlyOurs(directory, inside);
        } finally {
            Tree.delete(directory);
        }
        run.round();
    }

    private void everywhere(Pool pool, String name) {
        file(pool, name, NewFile.named(name), file -> file.name().equals(Optional.of(name)));
        file(pool, name, NewFile.unnamed().in(name),
                file -> file.directory().equals(LogicalDirectory.of(name)));
        file(pool, name, NewFile.unnamed().withLabels(Map.of("label", name)),
                file -> name.equals(file.labels().all().get("label")));
        file(pool, name, NewFile.unnamed().withLabels(Map.of(name, "value")),
                file -> "value".equals(file.labels().all().get(name)));
        file(pool, name, NewFile.unnamed().from(name), file -> file.source().equals(Optional.of(name)));
        file(pool, name, NewFile.named("keyed").withIdempotencyKey(name), _ -> true);
        attempt("tenant", name, () -> {
            pool.tenants().create(new TenantId(name));
            file(pool, name, new TenantId(name), NewFile.unnamed(), _ -> true);
        });
        attempt("volume", name, () -> {
            Path more = pool.volumes().get("v0").location().directory().orElseThrow().resolveSibling("more")
                    .resolve(String.valueOf(kept.size()));
            pool.volumes().mount(VolumeSpec.of(name, more));
            pool.volumes().unmount(name);
        });
        attempt("worker", name, () -> {
            Optional<ClaimedFile> claimed = pool.work().claim(TenantId.DEFAULT, name);
            claimed.ifPresent(one -> pool.work().fail(one.lease(), name));
        });
    }

    private void file(Pool pool, String name, NewFile file, Predicate<FileInfo> asGiven) {
        file(pool, name, TenantId.DEFAULT, file, asGiven);
    }

    private void file(Pool pool, String name, TenantId tenant, NewFile file, Predicate<FileInfo> asGiven) {
        attempt("file " + file, name, () -> {
            FileKey key = pool.files().write(tenant, file, name.getBytes(StandardCharsets.UTF_8)).key();
            kept.add(new Kept(tenant, key, name, asGiven));
        });
    }

    /** A tenant's name is a value that cannot be made of such a text; everything else is refused by the pool. */
    private void attempt(String what, String name, Attempt attempt) {
        try {
            attempt.make();
            run.check(true, () -> "");
        } catch (InvalidNameException | InvalidSettingException | TenantExistsException e) {
            run.check(e.getMessage() != null && !e.getMessage().isBlank(), () -> "refused without a word: " + what);
        } catch (IllegalArgumentException e) {
            run.check(what.equals("tenant"), () -> what + " \"" + name + "\": " + e);
        } catch (IOException | InterruptedException | RuntimeException e) {
            run.check(false, () -> what + " \"" + name + "\": " + e);
        }
    }

    private void look(Pool pool) throws InterruptedException {
        for (Kept one : kept) {
            FileInfo file = pool.files().get(one.tenant, one.key);
            run.check(one.asGiven.test(file), () -> "\"" + one.name + "\" came back as " + file);
            try {
                pool.files().verify(one.tenant, one.key);
            } catch (IOException | RuntimeException e) {
                run.check(false, () -> "\"" + one.name + "\" cannot be read: " + e);
            }
        }
    }

    private void onlyOurs(Path directory, Path inside) throws IOException {
        List<Path> strays = new ArrayList<>();
        Path volume = inside.resolve("v0");
        for (Path path : Tree.all(directory)) {
            boolean known = path.startsWith(volume)
                    ? path.equals(volume) || OURS.matcher(volume.relativize(path).toString()).matches()
                    : path.startsWith(inside.resolve("db")) || path.startsWith(inside.resolve("more"))
                            || path.equals(inside) || path.startsWith(directory.resolve("outside"))
                            || path.equals(directory) || path.startsWith(directory.resolve("watched"));
            if (!known) {
                strays.add(path);
            }
        }
        run.check(strays.isEmpty(), () -> "hostile names led to " + strays);
        run.check(Tree.all(directory.resolve("outside")).size() == 2
                && Files.readString(directory.resolve("outside/canary")).equals("alive"),
                () -> "hostile names changed what is outside");
    }
}
