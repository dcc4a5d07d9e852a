package io.entrepot.pool.internal;

import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.FilePage;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.PoolObserver;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantId;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.NewItem;
import io.entrepot.store.Transaction;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** What is done with files, beside processing them. Safe for use by many threads. */
public final class FileDesk {
    /** So many are looked at for one page, whether or not they match. */
    private static final int LOOKED_AT = 10_000;
    private static final int RELEASED_AT_ONCE = 500;

    private final Parts parts;
    private final Views views;
    private final Writing writing;
    private final Reading reading;
    private final BulkWriting bulk;
    private final Outages outages;

    public FileDesk(Parts parts) {
        this.parts = parts;
        this.views = new Views(parts);
        this.writing = new Writing(parts);
        this.reading = new Reading(parts, views);
        this.bulk = new BulkWriting(parts, writing);
        this.outages = new Outages(parts, views);
    }

    public StoredFile write(TenantId tenant, NewFile file, InputStream content)
            throws IOException, InterruptedException {
        return write(tenant, file, content, Optional.empty());
    }

    /** The same for a source that is imported, once however often. */
    public StoredFile write(TenantId tenant, NewFile file, InputStream content, ImportSource source)
            throws IOException, InterruptedException {
        return write(tenant, file, content, Optional.of(source));
    }

    /** A small source that was read. */
    @SuppressWarnings("ArrayRecordComponent") // passed through, never compared
    public record Imported(NewFile file, byte[] content, ImportSource source) {}

    /**
     * Many small sources of a tenant at once. For each in its place: the file it became, or had become before; nothing if it has to
     * be written by itself, which says why.
     */
    public List<Optional<StoredFile>> writeAll(TenantId tenant, List<Imported> files) throws InterruptedException {
        long begun = parts.measures().begin();
        List<Optional<StoredFile>> all = bulk.write(tenant, files);
        for (Optional<StoredFile> one : all) {
            one.filter(StoredFile::created).ifPresent(stored -> {
                parts.measures().took(PoolObserver.Step.WRITE, begun);
                parts.measures().files(PoolObserver.Fate.WRITTEN, tenant, 1, stored.size());
            });
        }
        return all;
    }

    private StoredFile write(TenantId tenant, NewFile file, InputStream content, Optional<ImportSource> source)
            throws IOException, InterruptedException {
        long begun = parts.measures().begin();
        try {
            StoredFile stored = writing.write(tenant, file, content, source);
            parts.measures().took(PoolObserver.Step.WRITE, begun);
            if (stored.created()) {
                parts.measures().files(PoolObserver.Fate.WRITTEN, tenant, 1, stored.size());
            }
            return stored;
        } catch (IOException | RuntimeException e) {
            parts.measures().failed(PoolObserver.Step.WRITE, begun, e);
            throw e;
        }
    }

    public FileContent open(TenantId tenant, FileKey key) throws InterruptedException {
        return reading.open(parts.tenants().require(tenant).requireNotDisabled(), key);
    }

    public Optional<String> outage(TenantId id, FileKey key) throws InterruptedException {
        return outages.of(parts.tenants().require(id).requireNotDisabled(), key);
    }

    public Optional<FileInfo> find(TenantId tenant, FileKey key) {
        return views.find(parts.tenants().require(tenant).requireNotDisabled(), key);
    }

    public FilePage list(FileQuery query) {
        TenantRow tenant = parts.tenants().require(query.tenant()).requireNotDisabled();
        long cursor = cursor(query.cursor());
        OptionalLong volume = query.volume().map(name -> OptionalLong.of(volume(name))).orElse(OptionalLong.empty());
        Predicate<FileInfo> wanted = filter(query);
        return parts.tenants().store(query.tenant()).read(snapshot -> {
            List<FileInfo> found = new ArrayList<>();
            long at = cursor;
            int looked = 0;
            List<FileRow> rows;
            do {
                rows = volume.isPresent()
                        ? FileRow.onVolume(snapshot, volume.getAsLong(), at, query.limit())
                        : FileRow.page(snapshot, tenant.number(), at, query.limit());
                for (FileInfo file : views.of(snapshot, tenant, of(tenant, rows))) {
                    if (wanted.test(file)) {
                        found.add(file);
                        if (found.size() == query.limit()) {
                            return new FilePage(found, String.valueOf(file.key().number()));
                        }
                    }
                }
                at = rows.isEmpty() ? at : rows.getLast().key().number();
                looked += rows.size();
            } while (rows.size() == query.limit() && looked < LOOKED_AT);
            return new FilePage(found, rows.size() < query.limit() ? "" : String.valueOf(at));
        });
    }

    /**
     * A volume has the files of many tenants. They are left out here and not by the query, which would have to go through all
     * that others have there to find the next one.
     */
    private static List<FileRow> of(TenantRow tenant, List<FileRow> rows) {
        return rows.stream().filter(row -> row.tenant() == tenant.number()).toList();
    }

    /** As {@link Views} names it, be it mounted or not. */
    private long volume(String name) {
        if (name.matches("#[0-9]{1,18}")) {
            return Long.parseLong(name.substring(1));
        }
        return parts.volumes().require(name).number();
    }

    private static long cursor(String text) {
        try {
            return text.isEmpty() ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new InvalidSettingException("\"" + text + "\" is not where a page has ended", e);
        }
    }

    private static Predicate<FileInfo> filter(FileQuery query) {
        Predicate<FileInfo> wanted = _ -> true;
        if (query.status().isPresent()) {
            wanted = wanted.and(file -> file.status() == query.status().get());
        }
        if (query.directory().isPresent()) {
            wanted = wanted.and(file -> file.directory().equals(query.directory().get()));
        }
        if (query.name().isPresent()) {
            Pattern pattern = glob(query.name().get());
            wanted = wanted.and(file -> file.name().filter(name -> pattern.matcher(name).matches()).isPresent());
        }
        if (!query.labels().isEmpty()) {
            wanted = wanted.and(file -> file.labels().all().entrySet().containsAll(query.labels().entrySet()));
        }
        return wanted;
    }

    private static Pattern glob(String glob) {
        StringBuilder regex = new StringBuilder();
        glob.codePoints().forEach(c -> regex.append(c == '*'
                ? ".*"
                : c == '?'
                        ? "."
                        : Pattern.quote(
                                Character.toString(c))));
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }

    public void delete(TenantId id, FileKey key, String why) {
        TenantRow tenant = parts.tenants().require(id).requireNotDisabled();
        parts.tenants().store(id).write(Owners.of(id), tx -> {
            FileRow file = FileRow.find(tx, tenant.number(), key)
                    .orElseThrow(() -> new FileNotFoundException(id, key.toString()));
            parts.queues().remove(tx, Views.item(id, key), EnumSet.allOf(ItemState.class), why);
            parts.removal().remove(tx, tenant, List.of(file), "file.deleted", why);
            return true;
        });
        parts.keepers().nudgeAll();
    }

    public boolean release(TenantId id, FileKey key) {
        TenantRow tenant = parts.tenants().require(id).requireNotDisabled();
        return parts.tenants().store(id).write(Owners.of(id), tx -> {
            FileRow file = FileRow.find(tx, tenant.number(), key)
                    .orElseThrow(() -> new FileNotFoundException(id, key.toString()));
            if (!file.held()) {
                return false;
            }
            release(tx, tenant, file);
            return true;
        });
    }

    /** Some at a time. Says how many. */
    public long releaseAll(TenantId id) {
        TenantRow tenant = parts.tenants().require(id).requireNotDisabled();
        long released = 0;
        long last = 0;
        List<FileRow> held;
        do {
            long after = last;
            held = parts.tenants().store(id).write(Owners.of(id), tx -> {
                List<FileRow> some = tx.query("SELECT " + FileRow.COLUMNS + " FROM file f WHERE f.tenant = ?"
                        + " AND f.id > ? AND f.held = 1 ORDER BY f.id LIMIT ?", FileRow::read, tenant.number(), after,
                        RELEASED_AT_ONCE);
                some.forEach(file -> release(tx, tenant, file));
                return some;
            });
            released += held.size();
            last = held.isEmpty() ? last : held.getLast().key().number();
        } while (held.size() == RELEASED_AT_ONCE);
        return released;
    }

    private void release(Transaction tx, TenantRow tenant, FileRow file) {
        tx.update("UPDATE file SET held = 0, trail = trail || ? WHERE tenant = ? AND id = ?",
                Trail.line(tx.now(), "released", ""), tenant.number(), file.key().number());
        tx.add(tenant.held(), -1);
        parts.queues().put(tx, List.of(NewItem.of(tenant.queue(), new byte[0]).withPriority(file.priority())
                .withNumber(file.key().number())));
        tx.publish(Owners.of(tenant.id()), "file.released", file.key().toString(), "{}");
    }

    public void verify(TenantId tenant, FileKey key) throws IOException, InterruptedException {
        try (FileContent content = open(tenant, key); InputStream in = content.verifiedStream()) {
            in.transferTo(OutputStream.nullOutputStream());
        }
    }

}
