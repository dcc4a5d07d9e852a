package io.entrepot.client;

import static io.entrepot.client.FilePoolContract.ACME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.entrepot.lab.PrivateAuthority;
import io.entrepot.pool.FilePool;
import io.entrepot.pool.FileQuery;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client on the oldest Java that it is for, if there is one on this machine. The server is in this process, on a newer one. */
class Java17Test {
    private static final Path PROGRAM = Path.of("src", "test", "java17", "OnJava17.java");

    @TempDir
    Path directory;

    /** Where a build finds other Javas too: said in the environment, or beside each other in the usual places. */
    private static Stream<Path> places() {
        String home = System.getProperty("user.home");
        Stream<Path> said = System.getenv().entrySet().stream().filter(one -> one.getKey().matches("JAVA.*_HOME.*"))
                .map(one -> Path.of(one.getValue()));
        Stream<Path> usual = Stream.of(Path.of(System.getProperty("java.home")).getParent(), Path.of("/usr/lib/jvm"),
                Path.of("/opt/java"), Path.of(home, ".sdkman", "candidates", "java"), Path.of(home, ".jdks"),
                Path.of(home, ".m2", "jdks"), Path.of("/Library/Java/JavaVirtualMachines"))
                .flatMap(Java17Test::entries).flatMap(one -> Stream.of(one, one.resolve("Contents/Home")));
        return Stream.concat(said, usual);
    }

    private static Stream<Path> entries(Path directory) {
        File[] files = directory.toFile().listFiles();
        return files == null ? Stream.empty() : Stream.of(files).map(File::toPath);
    }

    private static Optional<Path> java17() {
        return places().filter(home -> version(home).startsWith("17") && Files.exists(home.resolve("bin/javac")))
                .map(home -> home.resolve("bin").resolve("java")).findFirst();
    }

    /** From the file that every Java has for that. */
    private static String version(Path home) {
        try (Stream<String> lines = Files.lines(home.resolve("release"))) {
            return lines.filter(line -> line.startsWith("JAVA_VERSION=")).map(line -> line.replaceAll("[^0-9.]", ""))
                    .findFirst().orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    private static String classesOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void client_onJava17_doesAllThatItDoesHere() throws Exception {
        Optional<Path> java = java17();
        assumeTrue(java.isPresent(), "the client was not tried on Java 17: no JDK 17 was found; set JAVA17_HOME");
        PrivateAuthority authority = new PrivateAuthority(Files.createDirectory(directory.resolve("authority")));
        Path said = directory.resolve("said");
        try (RunningServer server = TlsTest.server(directory.resolve("data"), authority.issue("ip:127.0.0.1"));
                Cutter cutter = new Cutter(server.port())) {
            cutter.cutAnswers(20_000, 10);
            Process process = new ProcessBuilder(java.get().toString(), "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC", "-cp",
                    classesOf(EntrepotClient.class) + File.pathSeparator + classesOf(FilePool.class),
                    PROGRAM.toString(), "https://127.0.0.1:" + cutter.port(), server.key(),
                    authority.certificate().toString()).redirectErrorStream(true).redirectOutput(said.toFile())
                    .start();
            boolean ended = process.waitFor(120, TimeUnit.SECONDS);
            process.destroyForcibly();
            assertThat(Files.readString(said, StandardCharsets.UTF_8)).contains("done on Java 17");
            assertThat(ended).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(cutter.cuts()).isPositive();
            assertThat(server.pool().files().list(FileQuery.of(ACME)).files()).isEmpty();
        }
    }
}
