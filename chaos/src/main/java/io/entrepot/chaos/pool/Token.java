package io.entrepot.chaos.pool;

import io.entrepot.pool.NewFile;
import io.entrepot.pool.TenantId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A file of this scenario. Its tenant, directory, labels and every byte follow from its word, which is also its name: so
 * whoever finds it, in the pool or on a volume, can say what it has to be without having been told.
 *
 * @param worker tells it from those of all others, over all processes
 */
record Token(String worker, int number, int size) {
    static final TenantId ACME = new TenantId("acme");
    static final TenantId BETA = new TenantId("beta");
    /** Has a database file of its own. */
    static final TenantId SHARDED = new TenantId("gamma");
    static final List<TenantId> TENANTS = List.of(ACME, BETA, SHARDED);
    private static final List<String> DIRECTORIES = List.of("/", "in", "in/deep", "out");
    private static final String EXTENSION = ".bin";
    private static final String SOURCE = "src.";

    static Optional<Token> parse(String name) {
        String word = name.endsWith(EXTENSION) ? name.substring(0, name.length() - EXTENSION.length()) : name;
        int size = word.lastIndexOf('-');
        int number = word.lastIndexOf('-', size - 1);
        try {
            return number < 1
                    ? Optional.empty()
                    : Optional.of(new Token(word.substring(0, number), Integer.parseInt(word, number + 1, size, 10),
                            Integer.parseInt(word, size + 1, word.length(), 10)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** One that comes through a watch folder, where nothing is said of it but where it lies. */
    static Token source(String worker, int number, int size) {
        return new Token(SOURCE + worker, number, size);
    }

    boolean isSource() {
        return worker.startsWith(SOURCE);
    }

    /** Whether its source is left where it is. */
    boolean stays() {
        return isSource() && number % 5 == 0;
    }

    /** The directory that its source is in, below the watched one. */
    Path folder() {
        return Path.of(tenant().name(), directory().equals("/") ? "" : directory());
    }

    /** What histories call it. */
    String word() {
        return worker + "-" + number + "-" + size;
    }

    String name() {
        return number % 2 == 0 ? word() + EXTENSION : word();
    }

    TenantId tenant() {
        return TENANTS.get(number % 7 == 0 ? 2 : number % 2);
    }

    String directory() {
        return DIRECTORIES.get(Math.floorMod(word().hashCode(), DIRECTORIES.size()));
    }

    Map<String, String> labels() {
        return number % 3 == 0 && !isSource() ? Map.of("number", String.valueOf(number)) : Map.of();
    }

    Optional<String> key() {
        return number % 3 == 1 && !isSource() ? Optional.of("key-" + word()) : Optional.empty();
    }

    NewFile file() {
        NewFile file = NewFile.named(name()).in(directory()).withLabels(labels()).withPriority(number % 3);
        return key().map(file::withIdempotencyKey).orElse(file);
    }

    /** Begins with the word, if that fits. */
    byte[] content() {
        byte[] content = new byte[size];
        SplittableRandom random = new SplittableRandom(word().hashCode());
        random.nextBytes(content);
        byte[] word = (word() + "\n").getBytes(StandardCharsets.UTF_8);
        if (word.length <= size) {
            System.arraycopy(word, 0, content, 0, word.length);
        }
        return content;
    }
}
