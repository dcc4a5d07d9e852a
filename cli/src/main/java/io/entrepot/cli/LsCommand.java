package io.entrepot.cli;

import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FilePage;
import io.entrepot.pool.FilePool;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.LogicalDirectory;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists files, page by page, so that a tenant may have millions of them. */
@Command(name = "ls", description = "List the files of a tenant, oldest first.")
final class LsCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    OnPool on;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    TenantOption tenant;

    @Option(names = "--status", paramLabel = "STATUS",
            description = "Only those that are pending, processing, completed, permanently-failed or held.")
    @Nullable
    String status;

    @Option(names = "--dir", paramLabel = "PATH", description = "Only those in this logical directory.")
    @Nullable
    String directory;

    @Option(names = "--name", paramLabel = "GLOB", description = "Only those of such a name, with * and ?.")
    @Nullable
    String name;

    @Option(names = "--label", paramLabel = "NAME=VALUE", description = "Only those with this label.")
    Map<String, String> labels = Map.of();

    @Option(names = "--volume", paramLabel = "VOLUME", description = "Only those with their bytes on this volume.")
    @Nullable
    String volume;

    @Override
    public Integer call() throws InterruptedException {
        FileQuery query = query();
        long files = 0;
        long bytes = 0;
        try (FilePool pool = on.reachFiles()) {
            Columns table = FileText.table();
            String cursor = "";
            do {
                FilePage page = pool.files().list(query.after(cursor));
                for (FileInfo file : page.files()) {
                    files++;
                    bytes += file.size();
                    print(new FileText(file), table);
                }
                if (!on.json) {
                    table.print(on.out());
                }
                cursor = page.cursor();
            } while (!cursor.isEmpty() && !on.out().checkError()); // or nobody reads it any more
        }
        if (!on.json) {
            on.err().println(files + (files == 1 ? " file, " : " files, ") + Sizes.of(bytes));
        }
        return ExitCode.OK;
    }

    private FileQuery query() {
        FileQuery query = FileQuery.of(tenant.id()).withLabels(labels).withLimit(FileQuery.MOST);
        if (status != null) {
            query = query.in(Words.parse(FileStatus.class, status));
        }
        if (directory != null) {
            query = query.in(LogicalDirectory.of(directory));
        }
        if (volume != null) {
            query = query.on(volume);
        }
        return name == null ? query : query.named(name);
    }

    private void print(FileText file, Columns table) {
        if (on.json) {
            on.out().println(file.json());
        } else {
            file.addTo(table);
        }
    }
}
