package io.entrepot.chaos.pool;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.Pool;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.watch.SkipReason;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.pool.watch.WatcherStatus;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Name;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The names of files in a watched folder, and of directories there: whatever bytes a file system takes. Each file is imported
 * once, whole and under a text, or refused in words and left where it is. Each says in its content what it was called.
 */
record WatchedNames(ChaosRun run, Path folder) {
    private static final WatcherId WATCHER = new WatcherId("names");
    private static final TenantId TENANT = new TenantId("watched");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Set<SkipReason> SETTLED = EnumSet.of(SkipReason.NOT_WANTED, SkipReason.PARKED);
    private static final int LONGEST = 255;

    void importAll(Pool pool, List<String> hostile) throws IOException, InterruptedException {
        pool.tenants().create(TENANT);
        pool.watchers().add(WatcherSpec.ofTenant(WATCHER.name(), TENANT, folder).withExcludes(List.of())
                .withMinFileAge(Duration.ofMillis(1)).withPollingInterval(Duration.ofMillis(20)));
        Set<String> sent = new LinkedHashSet<>();
        try (Directory top = FileCalls.system().openDirectory(BytePath.of(folder.toRealPath()))) {
            for (Name name : names(hostile)) {
                send(top, name, name.toString(), sent);
            }
            top.makeDirectory(Name.of("below"));
            try (Directory below = top.open(Name.of("below"))) {
                for (Name name : names(hostile)) {
                    below.makeDirectory(name);
                    try (Directory in = below.open(name)) {
                        send(in, Name.of("file"), "in " + name, sent);
                    }
                }
            }
        }
        settle(pool, sent.size());
        look(pool, sent);
    }

    private static Set<Name> names(List<String> hostile) {
        Set<Name> names = new LinkedHashSet<>();
        for (String text : hostile) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            if (!text.contains("/") && !text.contains("\0") && bytes.length <= LONGEST && !text.matches("\\.{0,2}")) {
                names.add(Name.of(bytes));
            }
        }
        for (int b = 1; b < 256; b++) {
            if (b != '/' && b != '.') {
                names.add(Name.of(new byte[]{(byte) b}));
            }
        }
        byte[] no = new byte[LONGEST];
        Arrays.fill(no, (byte) 0xFF);
        names.add(Name.of(no));
        names.add(Name.of(new byte[]{'a', (byte) 0xC3, '.', 't', 'x', 't'})); // half of a character
        names.add(Name.of(new byte[]{(byte) 0xED, (byte) 0xA0, (byte) 0x80})); // half of a pair
        names.add(Name.of(new byte[]{(byte) 0xC0, (byte) 0xAF})); // a slash, too long
        names.add(Name.of("new\nline\r\n.txt"));
        return names;
    }

    private static void send(Directory directory, Name name, String content, Set<String> sent) throws IOException {
        directory.createWhole(name, 0644, ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)), Map.of(), false);
        sent.add(content);
    }

    private void settle(Pool pool, int most) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        WatcherStatus status;
        do {
            pool.watchers().scanNow(WATCHER);
            status = pool.watchers().status(WATCHER);
        } while (!isSettled(status, most) && System.nanoTime() < deadline);
        boolean settled = isSettled(status, most);
        String words = status.toString();
        run.check(settled, () -> "hostile names in a watched folder stay: " + words);
    }

    private static boolean isSettled(WatcherStatus status, int most) {
        return SETTLED.containsAll(status.skipped().keySet()) && status.failed() == 0
                && status.importedFiles() + status.parked() >= most;
    }

    private void look(Pool pool, Set<String> sent) throws IOException, InterruptedException {
        Map<String, Integer> times = new HashMap<>();
        FileQuery query = FileQuery.of(TENANT).withLimit(FileQuery.MOST);
        for (FileInfo file : pool.files().list(query).files()) {
            try (FileContent content = pool.files().open(TENANT, file.key())) {
                String text = new String(content.verifiedStream().readAllBytes(), StandardCharsets.UTF_8);
                times.merge(text, 1, Integer::sum);
                run.check(sent.contains(text), () -> "nobody has sent " + file);
            }
        }
        pool.watchers().parked(WATCHER).forEach(parked -> {
            run.check(!parked.error().isBlank(), () -> "refused without a word: " + parked);
            times.merge(parked.path().startsWith("below/")
                    ? "in " + parked.path().substring("below/".length(), parked.path().lastIndexOf('/'))
                    : parked.path(), 1, Integer::sum);
        });
        sent.forEach(name -> run.check(times.getOrDefault(name, 0) == 1, () -> "\"" + name + "\" in a watched folder"
                + " was imported or refused " + times.getOrDefault(name, 0) + " times"));
    }
}
