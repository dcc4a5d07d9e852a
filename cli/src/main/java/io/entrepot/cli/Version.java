package io.entrepot.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

import picocli.CommandLine.IVersionProvider;

/** Which build this is, and the Java it runs on. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        var build = new Properties();
        try (var in = Objects.requireNonNull(Version.class.getResourceAsStream("version.properties"))) {
            build.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var commit = build.getProperty("commit", "");
        return new String[]{"entrepot " + build.getProperty("version") + (commit.isEmpty() ? "" : " (" + commit + ")")
                + ", Java " + System.getProperty("java.version")};
    }
}
