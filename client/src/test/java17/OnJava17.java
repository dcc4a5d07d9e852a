import io.entrepot.client.ClientConfig;
import io.entrepot.client.EntrepotClient;
import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileLeaseLostException;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.FileOutcome;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.Listening;
import io.entrepot.pool.event.PoolEvent;
import io.entrepot.pool.process.Processing;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A program of somebody who has Java 17 and nothing else: run from its source by Java17Test, with the client's and the api's classes
 * only. Its arguments are the address and key of a server whose connections break now and then, and the authority it trusts.
 */
public final class OnJava17 {
    private static final TenantId ACME = new TenantId("acme");

    public static void main(String[] arguments) throws Exception {
        ClientConfig config = ClientConfig.of(URI.create(arguments[0]), arguments[1])
                .trusting(Path.of(arguments[2]));
        try (EntrepotClient pool = EntrepotClient.connect(config)) {
            BlockingQueue<PoolEvent> heard = new LinkedBlockingQueue<>();
            try (Listening listening = pool.listen(EventFilter.all().of("file.completed"), heard::add)) {
                contents(pool);
                leases(pool);
                processing(pool);
                require(heard.poll(30, TimeUnit.SECONDS) != null, "an event is heard");
            }
        }
        System.out.println("done on Java " + Runtime.version().feature());
    }

    private static void require(boolean truth, String what) {
        if (!truth) {
            throw new AssertionError("not so: " + what);
        }
        System.out.println(what);
    }

    private static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private static void contents(EntrepotClient pool) throws Exception {
        byte[] large = bytes(3_000_000);
        Path source = Files.createTempFile("on-java-17", "");
        Files.write(source, large);
        FileKey fromPath = pool.files().write(ACME, NewFile.named("path").withIdempotencyKey("p"), source).key();
        Files.delete(source);
        StoredFile again = pool.files().write(ACME, NewFile.named("path").withIdempotencyKey("p"), large);
        require(again.key().equals(fromPath) && !again.created(), "the same key is the same file");
        FileKey fromStream = pool.files().write(ACME, NewFile.named("stream"), new ByteArrayInputStream(large)).key();
        FileKey small = pool.files().write(ACME, NewFile.named("small").in("a/b"), bytes(10)).key();
        for (FileKey key : List.of(fromPath, fromStream)) {
            try (FileContent content = pool.files().open(ACME, key); InputStream in = content.verifiedStream()) {
                require(Arrays.equals(in.readAllBytes(), large), "a large file comes back");
            }
        }
        require(pool.files().list(FileQuery.of(ACME)).files().size() == 3, "all files are listed");
        pool.files().delete(ACME, small, "test");
        try {
            pool.files().get(ACME, small);
            throw new AssertionError("it is still there");
        } catch (FileNotFoundException e) {
            require(e.code().equals("pool.file-not-found"), "what is not there is told as by the library");
        }
    }

    private static void leases(EntrepotClient pool) throws Exception {
        List<ClaimedFile> claimed = pool.work().claim(ClaimOrder.of(ACME, "w").withMax(2)
                .waiting(Duration.ofSeconds(10)));
        require(claimed.size() == 2, "files are claimed");
        pool.work().renew(claimed.get(0).lease());
        require(pool.work().complete(claimed.get(0).lease()).kind() == FileOutcome.Kind.COMPLETED, "one is completed");
        pool.work().reset(ACME, claimed.get(1).key());
        try {
            pool.work().complete(claimed.get(1).lease());
            throw new AssertionError("a lease that is lost is good");
        } catch (FileLeaseLostException e) {
            require(pool.work().status(ACME, claimed.get(1).key()) == FileStatus.PENDING, "a lost lease is told");
        }
    }

    private static void processing(EntrepotClient pool) throws Exception {
        Queue<FileKey> handled = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < 20; i++) {
            pool.files().write(ACME, NewFile.named("f" + i), bytes(i + 1));
        }
        try (Processing processing = pool.process(ACME, 4, task -> handled.add(task.file().key()))) {
            require(processing.awaitIdle(Duration.ofSeconds(60)), "all files are processed");
        }
        require(handled.size() == 21 && handled.stream().distinct().count() == 21, "each of them once");
        require(pool.files().list(FileQuery.of(ACME)).files().isEmpty(), "nothing is left");
    }
}
