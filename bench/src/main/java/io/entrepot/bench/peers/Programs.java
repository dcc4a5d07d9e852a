package io.entrepot.bench.peers;

import io.entrepot.lab.Command;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where a peer's program comes from: the machine, if it is installed; else the cache; else Debian's packages, which are
 * fetched and unpacked into the cache. Nothing is installed and no service is started. Use from one thread.
 */
public final class Programs {

    private static final String WATCHMAN = "watchman";
    private static final String NGINX = "nginx";
    private static final Pattern LIBRARY = Pattern.compile("(?m)^ .?Depends: (lib\\S+)$");

    private final PeerCache cache;

    public Programs(PeerCache cache) {
        this.cache = cache;
    }

    public Program redis() throws IOException {
        return find("redis-server", List.of("redis-server", "redis-tools"));
    }

    public Program beanstalkd() throws IOException {
        return find("beanstalkd", List.of("beanstalkd"));
    }

    public Program watchman() throws IOException {
        return find(WATCHMAN, List.of(WATCHMAN));
    }

    /** With WebDAV, as Debian builds it. */
    public Program nginx() throws IOException {
        return find(NGINX, List.of(NGINX));
    }

    /** Without a download: only what is on the {@code PATH} already. */
    public static Optional<Program> installedNginx() {
        return installed(NGINX);
    }

    /** Without a download: only what is on the {@code PATH} already. */
    public static Optional<Program> installedWatchman() {
        return installed(WATCHMAN);
    }

    /** The program of that name; the packages are those that hold it, without the libraries they need. */
    Program find(String name, List<String> packages) throws IOException {
        Optional<Program> installed = installed(name);
        return installed.isPresent() ? installed.get() : unpacked(name, packages);
    }

    private static Optional<Program> installed(String name) {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, name)).filter(Files::isExecutable).findFirst()
                .map(file -> new Program(file, Map.of()));
    }

    private Program unpacked(String name, List<String> packages) throws IOException {
        Path root = cache.directory().resolve(name);
        if (!Files.isDirectory(root)) {
            fetch(packages, root);
        }
        Path file = Stream.of("usr/bin", "usr/sbin").map(bin -> root.resolve(bin).resolve(name))
                .filter(Files::isExecutable).findFirst()
                .orElseThrow(() -> new IOException("no " + name + " in the packages " + packages));
        return new Program(file, Map.of("LD_LIBRARY_PATH", libraries(root)));
    }

    /** Unpacks beside the place and then moves: a cache that was cut off is not taken for a whole one. */
    private void fetch(List<String> packages, Path root) throws IOException {
        Files.createDirectories(cache.directory());
        Path work = Files.createTempDirectory(cache.directory(), "fetch");
        try {
            List<String> download = new ArrayList<>(List.of("apt-get", "download"));
            download.addAll(packages);
            download.addAll(librariesOf(packages, work));
            Command.check(work, download);
            Path tree = Files.createDirectory(work.resolve("tree"));
            for (Path archive : list(work, ".deb")) {
                Command.check(work, List.of("dpkg", "-x", archive.toString(), tree.toString()));
            }
            Files.move(tree, root);
        } finally {
            Command.check(cache.directory(), List.of("rm", "-rf", work.toString()));
        }
    }

    /** Only what the packages themselves name, and not the C library: the rest is on every Debian. */
    private static List<String> librariesOf(List<String> packages, Path work) throws IOException {
        List<String> ask = new ArrayList<>(List.of("apt-cache", "depends"));
        ask.addAll(packages);
        return LIBRARY.matcher(Command.check(work, ask)).results().map(found -> found.group(1))
                .filter(library -> !library.equals("libc6")).distinct().toList();
    }

    private static List<Path> list(Path directory, String ending) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }

    private static String libraries(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.getFileName().toString().contains(".so"))
                    .map(file -> "" + file.getParent()).distinct().collect(Collectors.joining(":"));
        }
    }
}
