package io.entrepot.client;

import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.FilePage;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.PoolFiles;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.LongConsumer;

/** Files behind a server. Safe for use by many threads. */
final class RemoteFiles implements PoolFiles {
    /** What is smaller is read before it is sent, and can then be sent again. */
    private static final int SMALL = 256 << 10;
    /** To read all of the largest file. */
    private static final Duration LONG = Duration.ofHours(1);

    private final Transport transport;
    private final Wire wire;

    RemoteFiles(Transport transport, Wire wire) {
        this.transport = transport;
        this.wire = wire;
    }

    @Override
    public StoredFile write(TenantId tenant, NewFile file, InputStream content)
            throws IOException, InterruptedException {
        byte[] head = content.readNBytes(SMALL);
        return head.length < SMALL
                ? store(tenant, file, small(file, head))
                : stream(tenant, file, Source.of(head, content, file.size()));
    }

    @Override
    public StoredFile write(TenantId tenant, NewFile file, byte[] content) throws InterruptedException {
        return store(tenant, file.ofSize(content.length), new Body.Bytes(content));
    }

    @Override
    public StoredFile write(TenantId tenant, NewFile file, Path source, LongConsumer read)
            throws IOException, InterruptedException {
        long size = Files.size(source);
        NewFile told = file.withModifiedOf(source);
        if (size < SMALL) {
            read.accept(size);
            return store(tenant, told, small(file, Files.readAllBytes(source)));
        }
        return stream(tenant, told, Source.of(source, OptionalLong.of(file.size().orElse(size)), read));
    }

    private StoredFile stream(TenantId tenant, NewFile file, Source source) throws IOException, InterruptedException {
        try {
            return store(tenant, file, new Body.Streamed(source));
        } catch (SourceException e) {
            throw e.failure();
        }
    }

    private static Body small(NewFile file, byte[] bytes) throws IOException {
        if (file.size().orElse(bytes.length) != bytes.length) {
            throw new IOException("the stream brought " + bytes.length + " bytes, not " + file.size().orElse(0)
                    + " as was told");
        }
        return new Body.Bytes(bytes);
    }

    /** With an idempotency key always: so that it may be sent again if no answer comes, and is one file all the same. */
    private StoredFile store(TenantId tenant, NewFile file, Body body) throws InterruptedException {
        List<Map.Entry<String, String>> query = new ArrayList<>();
        file.name().ifPresent(name -> query.add(Map.entry("name", name)));
        query.add(Map.entry("dir", file.directory()));
        query.add(Map.entry("priority", Integer.toString(file.priority())));
        file.availableAt().ifPresent(time -> query.add(Map.entry("availableAt", time.toString())));
        file.modified().ifPresent(time -> query.add(Map.entry("modified", time.toString())));
        file.labels().forEach((name, value) -> query.add(Map.entry("label", name + "=" + value)));
        Ask ask = Ask.post(Ask.path("tenants", tenant.name(), "files") + Ask.query(query)).with(body).repeatedly()
                .with("Content-Type", "application/octet-stream")
                .with("Idempotency-Key", file.idempotencyKey().orElseGet(() -> UUID.randomUUID().toString()));
        StoredFile stored = wire.stored(transport.send(ask).json().get("files").list().get(0));
        // A key of our own is new with each call; so it was this call, if by its second attempt, that has stored it.
        return file.idempotencyKey().isPresent()
                ? stored
                : new StoredFile(stored.tenant(), stored.key(), stored.size(), stored.sha256(), true);
    }

    @Override
    public FileContent open(TenantId tenant, FileKey key) throws InterruptedException {
        return RemoteContent.open(transport, path(tenant, key, "content"), () -> get(tenant, key));
    }

    @Override
    public Optional<String> outage(TenantId tenant, FileKey key) throws InterruptedException {
        try {
            transport.send(Ask.get(path(tenant, key, "content")).with("Range", "bytes=0-0").asItComes()).stream()
                    .close();
            return Optional.empty();
        } catch (StorageVolumeUnavailableException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Optional<FileInfo> find(TenantId tenant, FileKey key) {
        try {
            return Optional.of(wire.file(transport.sendCalmly(Ask.get(path(tenant, key))).json()));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    @Override
    public FilePage list(FileQuery query) {
        List<Map.Entry<String, String>> wanted = new ArrayList<>();
        query.status().ifPresent(status -> wanted.add(Map.entry("status", Words.of(status))));
        query.directory().ifPresent(directory -> wanted.add(Map.entry("dir", directory.path())));
        query.name().ifPresent(name -> wanted.add(Map.entry("name", name)));
        query.labels().forEach((name, value) -> wanted.add(Map.entry("label", name + "=" + value)));
        query.volume().ifPresent(volume -> wanted.add(Map.entry("volume", volume)));
        if (!query.cursor().isEmpty()) {
            wanted.add(Map.entry("cursor", query.cursor()));
        }
        wanted.add(Map.entry("limit", Integer.toString(query.limit())));
        Json page = transport.sendCalmly(Ask.get(Ask.path("tenants", query.tenant().name(), "files")
                + Ask.query(wanted))).json();
        return new FilePage(page.get("files").list().stream().map(wire::file).toList(), page.get("next").find()
                .orElse(""));
    }

    @Override
    public void delete(TenantId tenant, FileKey key, String why) {
        transport.sendCalmly(Ask.of("DELETE", path(tenant, key) + Ask.query(List.of(Map.entry("why", why)))));
    }

    @Override
    public boolean release(TenantId tenant, FileKey key) {
        return transport.sendCalmly(Ask.post(path(tenant, key, "unhold"))).json().get("changed").truth();
    }

    @Override
    public long releaseAll(TenantId tenant) {
        return transport.sendCalmly(Ask.post(Ask.path("tenants", tenant.name(), "unhold"))).json().get("count").whole();
    }

    @Override
    public void verify(TenantId tenant, FileKey key) throws InterruptedException {
        transport.send(Ask.post(path(tenant, key, "verify")).harmless().patient(LONG));
    }

    private static String path(TenantId tenant, FileKey key, String... more) {
        String[] parts = new String[4 + more.length];
        parts[0] = "tenants";
        parts[1] = tenant.name();
        parts[2] = "files";
        parts[3] = key.toString();
        System.arraycopy(more, 0, parts, 4, more.length);
        return Ask.path(parts);
    }
}
