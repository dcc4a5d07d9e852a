package io.entrepot.chaos.pool;

import io.entrepot.chaos.history.Answer;
import io.entrepot.chaos.history.Call;
import io.entrepot.chaos.history.Recorder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;

/**
 * Puts files into the watched folders, as careful programs do: written and synced under a name that is not wanted there, or
 * elsewhere on that disk, then renamed, and the directory synced. From then on it is the pool's task to have each exactly once,
 * so that is when a put is acknowledged in the history. Use by one thread.
 */
final class Sender {
    private static final List<Integer> SIZES = List.of(0, 10, 700, 2_000, Place.REDO_LIMIT, Place.REDO_LIMIT + 1,
            30_000);

    private final String name;
    private final Place place;
    private final Recorder recorder;
    private final Random random;

    Sender(String name, Place place, Recorder recorder, Random random) {
        this.name = name;
        this.place = place;
        this.recorder = recorder;
        this.random = random;
    }

    /** @throws IOException if the disk does not take it */
    Token send(int number) throws IOException {
        Token token = Token.source(name, number, SIZES.get(random.nextInt(SIZES.size())));
        Path folder = place.folder(token.stays() ? Place.KEPT : Place.IN).resolve(token.folder());
        Path draft = random.nextBoolean()
                ? folder.resolve(token.word() + ".part")
                : place.desk().resolve(token.word());
        long call = recorder.began(name, new Call.Put(token.word(), token.key()));
        Answer answer = new Answer.Refused("io");
        try {
            Files.createDirectories(folder);
            Files.write(draft, token.content());
            sync(draft, StandardOpenOption.WRITE);
            answer = new Answer.Unknown("io");
            Files.move(draft, folder.resolve(token.name()), StandardCopyOption.ATOMIC_MOVE);
            sync(folder, StandardOpenOption.READ);
            answer = new Answer.Stored("source-" + token.word());
            return token;
        } finally {
            recorder.ended(call, answer);
        }
    }

    private static void sync(Path path, StandardOpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(path, how)) {
            channel.force(true);
        }
    }
}
