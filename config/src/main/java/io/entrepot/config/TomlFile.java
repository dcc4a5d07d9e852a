package io.entrepot.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;
import org.tomlj.TomlVersion;

/** Reads a file into a table with the line of each key. Nothing else here knows the TOML library. */
final class TomlFile {
    /** Nobody writes that much by hand: it is more likely that some other file was named. */
    private static final int LARGEST = 1 << 20;
    private static final Pattern UNEXPECTED = Pattern.compile("^Unexpected .*?, (expected)", Pattern.DOTALL);

    private final Path file;

    private TomlFile(Path file) {
        this.file = file;
    }

    static Table read(Path file) {
        return new TomlFile(file).read();
    }

    private Table read() {
        TomlParseResult parsed = Toml.parse(text(bytes()), TomlVersion.V1_0_0);
        if (parsed.hasErrors()) {
            // What follows the first error may have been put into the wrong table, so its keys are not looked at.
            throw new ConfigurationException(parsed.errors().stream().map(this::mistake).toList());
        }
        return table(parsed, 0);
    }

    private byte[] bytes() {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw wrong(0, "is larger than 1 MiB", "is this the file that was meant?");
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw wrong(0, "there is no such file", file.isAbsolute() ? "" : "looked for " + file.toAbsolutePath());
        } catch (AccessDeniedException e) {
            throw wrong(0, "may not be read by this user", "check its owner and permissions");
        } catch (IOException e) {
            throw Files.isDirectory(file)
                    ? wrong(0, "is a directory", "name the file in it")
                    : wrong(0, "cannot be read: " + e.getMessage(), "");
        }
    }

    private String text(byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        if (decoder.decode(in, out, true).isError()) {
            int line = 1 + (int) out.flip().chars().filter(c -> c == '\n').count();
            throw wrong(line, "there are bytes that are not UTF-8", "save it as UTF-8");
        }
        String text = out.flip().toString();
        // Some editors put a byte order mark in front.
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private ConfigurationException wrong(int line, String problem, String suggestion) {
        return new ConfigurationException(List.of(new Mistake(new Origin.InFile(file, line), "", problem, suggestion)));
    }

    /** What was unexpected is not repeated: it may be a piece of a secret. */
    private Mistake mistake(TomlParseError error) {
        String message = String.valueOf(error.getMessage());
        String problem = UNEXPECTED.matcher(message).replaceFirst("$1");
        String where = "not TOML at column " + error.position().column() + ": " + problem;
        return new Mistake(new Origin.InFile(file, error.position().line()), "",
                problem.contains("previously defined") ? problem : where,
                problem.equals(message) ? "" : "texts, durations and sizes are written in quotes, as in \"5s\"");
    }

    private Table table(TomlTable source, int line) {
        Map<String, Table.Node> nodes = new LinkedHashMap<>();
        for (String name : source.keySet()) {
            List<String> key = List.of(name);
            int at = Objects.requireNonNull(source.inputPositionOf(key)).line();
            nodes.put(name, new Table.Node(raw(Objects.requireNonNull(source.get(key)), at),
                    new Origin.InFile(file, at)));
        }
        return new Table(nodes, new Origin.InFile(file, line));
    }

    private Object raw(Object value, int line) {
        return switch (value) {
            case TomlTable table -> table(table, line);
            case TomlArray array -> {
                List<Object> list = new ArrayList<>();
                for (int i = 0; i < array.size(); i++) {
                    list.add(raw(array.get(i), array.inputPositionOf(i).line()));
                }
                yield List.copyOf(list);
            }
            default -> value;
        };
    }
}
