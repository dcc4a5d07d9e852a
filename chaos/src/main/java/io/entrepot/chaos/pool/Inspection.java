package io.entrepot.chaos.pool;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.chaos.history.FinalItem;
import io.entrepot.chaos.history.History;
import io.entrepot.chaos.history.Operation;
import io.entrepot.chaos.history.QueueHistoryChecker;
import io.entrepot.chaos.history.Verdict;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FilePage;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.Recount;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantUsage;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeState;
import io.entrepot.queue.QueueConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A pool after something happened to it: opened, looked through, and compared with everything that was acknowledged since it was
 * new. Each file that is there is read, the counters are counted again, and what is on the volumes has to be explained.
 *
 * @param after what happened, for people
 * @param cut   whether that can have brought back names that were taken away without a sync
 * @param moved whether files were being moved meanwhile, so that there may be a second copy of any
 */
record Inspection(ChaosRun run, History history, String after, boolean cut, boolean moved) {
    private static final Duration OFTEN = Duration.ofMillis(1);
    private static final QueueConfig STILL = QueueConfig.DEFAULT.withMaxDeliveries(1_000).withBackground(false);

    /** Opens it, and closes it again. Says how many bytes without a file it has found and taken away. */
    int of(Place place) throws IOException, InterruptedException {
        return of(place.config(OFTEN), place);
    }

    int of(PoolConfig config, Place place) throws IOException, InterruptedException {
        try (Pool pool = Pool.open(config.withSyncEvery(OFTEN).withQueue(STILL))) {
            return of(pool, place);
        } catch (PoolException e) {
            check(false, "the pool cannot be opened: " + e);
            return 0;
        }
    }

    /** The same for one that is open, and in which nothing happens but what it does by itself. */
    int of(Pool pool, Place place) throws IOException, InterruptedException {
        for (VolumeInfo volume : pool.volumes().list()) {
            if (volume.state() == VolumeState.DRAINING) {
                Caretaker.activate(pool, volume.name()).ifPresent(bad -> check(false, bad));
            }
        }
        new Sources(this, place).settle(pool);
        List<FileInfo> files = new ArrayList<>();
        for (Tenant tenant : pool.tenants().list()) {
            List<FileInfo> its = all(pool, tenant);
            count(pool, tenant, its);
            files.addAll(its);
        }
        for (FileInfo file : files) {
            read(pool, file);
        }
        for (VolumeInfo volume : pool.volumes().list()) {
            long there = files.stream().filter(file -> file.volume().equals(volume.name())).count();
            check(volume.files() == there, "volume " + volume.name() + " counts " + volume.files() + " files and has "
                    + there);
        }
        compare(files);
        return new Leftovers(this, place, pool).settle(files);
    }

    private static List<FileInfo> all(Pool pool, Tenant tenant) {
        List<FileInfo> files = new ArrayList<>();
        FileQuery query = FileQuery.of(tenant.id()).withLimit(FileQuery.MOST);
        FilePage page;
        do {
            page = pool.files().list(query);
            files.addAll(page.files());
            query = query.after(page.cursor());
        } while (!page.cursor().isEmpty());
        return files;
    }

    private void count(Pool pool, Tenant tenant, List<FileInfo> files) {
        TenantUsage usage = pool.tenants().usage(tenant.id());
        long bytes = files.stream().mapToLong(FileInfo::size).sum();
        check(usage.files() == files.size() && usage.bytes() == bytes, "tenant " + tenant.id() + " counts " + usage
                + " and has " + files.size() + " files with " + bytes + " bytes");
        Map<LogicalDirectory, Long> directories = new HashMap<>();
        files.forEach(file -> directories.merge(file.directory(), 1L, Long::sum));
        pool.quotas().usage(tenant.id()).forEach(counted -> check(
                counted.files() == Optional.ofNullable(directories.remove(counted.directory())).orElse(0L),
                "directory " + counted.directory() + " of " + tenant.id() + " counts " + counted.files()));
        check(directories.isEmpty(), "directories of " + tenant.id() + " are not counted: " + directories);
        Recount recount = pool.quotas().recount(tenant.id());
        check(recount.corrections().isEmpty(), "counting again corrected " + recount);
    }

    /** What a file has to be follows from its name. */
    private void read(Pool pool, FileInfo file) throws InterruptedException {
        Optional<Token> known = file.name().flatMap(Token::parse);
        if (known.isEmpty()) {
            check(false, "nobody wrote " + file);
            return;
        }
        Token token = known.get();
        check(file.tenant().equals(token.tenant()) && file.size() == token.size()
                && file.directory().equals(LogicalDirectory.of(token.directory()))
                && file.labels().all().equals(token.labels()), "not as it was written: " + file);
        try (FileContent content = pool.files().open(file.tenant(), file.key())) {
            check(Arrays.equals(content.verifiedStream().readAllBytes(), token.content()),
                    "other bytes than were written: " + file);
        } catch (PoolException | IOException e) {
            check(false, "cannot be read: " + file + ": " + e);
        }
    }

    private void compare(List<FileInfo> files) {
        List<FinalItem> items = files.stream().map(file -> new FinalItem(
                file.name().flatMap(Token::parse).map(Token::word).orElse("nameless"),
                file.status() == FileStatus.COMPLETED)).toList();
        Verdict verdict = QueueHistoryChecker.check(operations(), items);
        run.checked(verdict.checks(),
                verdict.violations().stream().map(violation -> "after " + after + ": " + violation).toList());
    }

    List<Operation> operations() {
        return history.operations();
    }

    void check(boolean good, String otherwise) {
        run.check(good, () -> "after " + after + ": " + otherwise);
    }
}
