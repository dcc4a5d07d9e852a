package io.entrepot.bench.http;

import io.entrepot.bench.Bench;
import io.entrepot.bench.BenchRun;
import io.entrepot.bench.Contest;
import io.entrepot.bench.Goal;
import io.entrepot.bench.Row;
import io.entrepot.bench.Standings;
import io.entrepot.lab.ChildServer;
import io.entrepot.lab.HttpConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** From the command to the first answer, and what a server that does nothing keeps in memory. */
public final class StartBench implements Bench {
    /** Where the command is that people start; the command itself says so. */
    static final String LAUNCHER = "entrepot.launcher";
    private static final double SECONDS = 1.2;
    private static final double MEBIBYTES = 160;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String FIRST = "on a new directory";
    private static final String AGAIN = "on data";

    @Override
    public String name() {
        return "start";
    }

    @Override
    public String measures() {
        return "./entrepot serve until /health/ready answers, and its resident memory when idle";
    }

    @Override
    public void run(BenchRun run) throws Exception {
        String launcher = System.getProperty(LAUNCHER, "");
        if (launcher.isEmpty()) {
            run.note("nothing was measured: only ./entrepot bench knows where the command is");
            return;
        }
        Path data = run.directory().resolve("served");
        try (Served first = Served.start(launcher, data)) {
            run.progress().say("ready after " + first.seconds);
        }
        Standings standings = run.run(new Contest("start", "s")
                .enter(FIRST, () -> seconds(launcher, Files.createTempDirectory(run.directory(), "new")))
                .enter(AGAIN, () -> seconds(launcher, data)));
        for (String kind : List.of(FIRST, AGAIN)) {
            Row row = new Row("serve until ready, " + kind, "entrepot", "s", standings.of(kind), Map.of());
            run.add(row);
            goal(run, row, SECONDS);
        }
        Standings memory = run.run(new Contest("idle memory", "MiB").enter("entrepot",
                () -> idle(launcher, data, run.shortForm() ? Duration.ofSeconds(1) : Duration.ofSeconds(5))));
        Row row = memory.row("resident memory, idle", "entrepot");
        run.add(row);
        goal(run, row, MEBIBYTES);
    }

    private static void goal(BenchRun run, Row row, double most) {
        double measured = row.series().median();
        run.add(new Goal(row.caseName() + ": ≤ " + most + " " + row.unit(), measured <= most, measured));
    }

    private static double seconds(String launcher, Path data) throws Exception {
        try (Served served = Served.start(launcher, data)) {
            return served.seconds;
        }
    }

    private static double idle(String launcher, Path data, Duration rest) throws Exception {
        try (Served served = Served.start(launcher, data)) {
            LockSupport.parkNanos(rest.toNanos());
            return served.resident();
        }
    }

    /** A server that was started as people start it. */
    private record Served(Process process, double seconds) implements AutoCloseable {

        static Served start(String launcher, Path data) throws IOException, InterruptedException {
            InetSocketAddress address = ChildServer.freeAddress();
            Path log = Files.createTempFile("entrepot-serve", ".log");
            try {
                long began = System.nanoTime();
                Process process = new ProcessBuilder(launcher, "serve", "--data", data.toString(), "--port",
                        "" + address.getPort()).redirectErrorStream(true).redirectOutput(log.toFile()).start();
                while (!ready(address)) {
                    if (!process.isAlive() || System.nanoTime() - began > PATIENCE.toNanos()) {
                        process.destroyForcibly();
                        throw new IOException("it did not start: " + Files.readString(log));
                    }
                    LockSupport.parkNanos(2_000_000);
                }
                return new Served(process, (System.nanoTime() - began) / 1e9);
            } finally {
                Files.delete(log);
            }
        }

        private static boolean ready(InetSocketAddress address) {
            try (HttpConnection connection = new HttpConnection(address, Duration.ofSeconds(10))) {
                return connection.ask("GET", "/health/ready", List.of(), new byte[0]).status() == 200;
            } catch (IOException e) {
                return false;
            }
        }

        /** In MiB. The launcher has become the server: it has its number. */
        double resident() throws IOException {
            return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToDouble(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024.0).findFirst().orElseThrow();
        }

        @Override
        public void close() {
            process.destroy();
            process.onExit().completeOnTimeout(process, PATIENCE.toSeconds(), TimeUnit.SECONDS).join()
                    .destroyForcibly();
        }
    }
}
