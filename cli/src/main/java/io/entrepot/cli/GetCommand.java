package io.entrepot.cli;

import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FilePool;
import io.entrepot.pool.SavedFile;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Gives the bytes of a file, and says if they are not those that were written. A file that it writes appears whole or not at all, and is
 * durable then.
 */
@Command(name = "get", description = {"Read a file, and compare it with its checksum: exit code 1 if it is damaged.",
        "Of a damaged one -o leaves nothing; --range 0- has what is there."})
final class GetCommand implements Callable<Integer> {
    private static final int PIECE = 1 << 16;
    private static final Path STANDARD_OUTPUT = Path.of("-");

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    TenantOption tenant;

    @Parameters(paramLabel = "KEY", description = "The file's key, as put and ls print it.")
    @SuppressWarnings("NullAway.Init") // required
    String key;

    @Option(names = {"-o", "--output"}, paramLabel = "FILE",
            description = {"Where to: a file, a directory (then under its own name), or - for standard output.",
                    "Standard output if it is not a terminal."})
    @Nullable
    Path output;

    @Option(names = "--verify", description = "Is done anyway; a --range cannot be verified.")
    boolean verify;

    @Option(names = "--range", paramLabel = "RANGE", description = "Only these bytes: 0-99, 100-, or --range=-100.")
    @Nullable
    String range;

    @Option(names = "--preserve",
            description = {"Give FILE the time at which its source was last changed, as stat shows it;",
                    "if that is not known, it is as new as it is."})
    boolean preserve;

    private final AtomicLong copied = new AtomicLong();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (verify && range != null) {
            throw new Failure("usage", "only a whole file can be verified: leave out --range", ExitCode.USAGE);
        }
        if (preserve && (output == null || output.equals(STANDARD_OUTPUT))) {
            throw new Failure("usage", "--preserve is for a file: name it with -o", ExitCode.USAGE);
        }
        if (output == null && ProgressLine.isTerminal()) {
            throw new Failure("usage", "a file's bytes do not belong on a terminal; name a file with -o, or -o -",
                    ExitCode.USAGE);
        }
        try (FilePool pool = on.reachFiles();
                FileContent content = pool.files().open(tenant.id(), OnPool.key(key));
                InputStream in = stream(content)) {
            if (output == null || output.equals(STANDARD_OUTPUT)) {
                toStandardOutput(in);
            } else {
                Path target = Files.isDirectory(output) ? output.resolve(nameOf(content.file())) : output;
                toFile(in, target, content);
                on.answer(target + "  " + Sizes.of(copied.get()), new JsonObject().with("key", key)
                        .with("target", target.toString()).with("size", copied.get()).with("verified", range == null));
            }
        }
        return ExitCode.OK;
    }

    private InputStream stream(FileContent content) {
        if (range == null) {
            return content.verifiedStream();
        }
        ByteRange part = ByteRange.of(range, content.size());
        return content.stream(part.from(), part.length());
    }

    private static String nameOf(FileInfo file) {
        return file.name().orElse(file.key() + file.extension());
    }

    private void toStandardOutput(InputStream in) throws IOException {
        PrintStream out = System.out;
        copy(in, out);
        out.flush();
        if (out.checkError()) {
            throw new IOException("nobody reads what is written to standard output");
        }
    }

    private void toFile(InputStream in, Path target, FileContent content) throws IOException {
        Optional<Instant> time = preserve ? content.file().modified() : Optional.empty();
        Transfer transfer = Transfer.now();
        try (Transfer.Part part = transfer.begin(content.size());
                ProgressLine _ = ProgressLine.ofTerminal(transfer::text, on.err())) {
            SavedFile.save(out -> {
                counted(in, part).transferTo(out);
                time.ifPresent(out::setModified);
            }, target);
        }
    }

    private InputStream counted(InputStream in, Transfer.Part part) {
        return new FilterInputStream(in) {
            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int n = super.read(into, offset, length);
                copied.addAndGet(Math.max(n, 0));
                part.moved(Math.max(n, 0));
                return n;
            }
        };
    }

    /** Until nobody reads it any more. */
    private static void copy(InputStream in, PrintStream out) throws IOException {
        byte[] piece = new byte[PIECE];
        for (int n = in.read(piece); n >= 0 && !out.checkError(); n = in.read(piece)) {
            out.write(piece, 0, n);
        }
    }
}
