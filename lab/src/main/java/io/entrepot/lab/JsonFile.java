package io.entrepot.lab;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/** Reports as JSON files: the old one or the whole new one, never a part. No state, so safe for use by many threads. */
public final class JsonFile {

    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private JsonFile() {}

    /** A report as maps, lists and values. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> read(Path file) throws IOException {
        return MAPPER.readValue(file.toFile(), Map.class);
    }

    public static void write(Path file, Object report) throws IOException {
        Path target = file.toAbsolutePath();
        Path directory = target.getParent();
        if (directory == null) {
            throw new IOException("not a file: " + file);
        }
        Files.createDirectories(directory);
        Path fresh = Files.createTempFile(directory, "." + target.getFileName(), ".tmp");
        try {
            try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(MAPPER.writeValueAsBytes(report));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }
}
