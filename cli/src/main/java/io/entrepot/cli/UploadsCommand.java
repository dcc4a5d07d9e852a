package io.entrepot.cli;

import io.entrepot.cli.access.PoolAccess;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.UploadStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Files that come in pieces. */
@Command(name = "uploads", addMethodSubcommands = false,
        description = "See and drop files that come in pieces and are not finished.")
final class UploadsCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    @Command(description = "A tenant's uploads that are not finished, oldest first.")
    int list(@Mixin OnPool on, @Mixin TenantOption tenant) throws InterruptedException {
        try (PoolAccess pool = on.reachExisting()) {
            Columns table = new Columns("UPLOAD", "HAS", "OF", "BEGUN", "EXPIRES", "NAME").right(1, 2);
            for (UploadStatus upload : pool.uploads().list(tenant.id())) {
                table.row(upload.id(), Sizes.of(upload.offset()),
                        upload.size().isPresent() ? Sizes.of(upload.size().getAsLong()) : "-",
                        Times.of(upload.begun()), Times.of(upload.expires()), upload.file().name().orElse("-"));
                if (on.json) {
                    on.out().println(new JsonObject().with("tenant", upload.tenant()).with("upload", upload.id())
                            .with("name", upload.file().name()).with("offset", upload.offset())
                            .with("size", upload.size()).with("begun", upload.begun())
                            .with("expires", upload.expires()));
                }
            }
            on.print(table);
        }
        return ExitCode.OK;
    }

    @Command(description = "Drop one and what has come of it.")
    int cancel(@Mixin OnPool on, @Mixin TenantOption tenant,
            @Parameters(paramLabel = "UPLOAD", description = "As list prints it.") String upload)
            throws InterruptedException {
        UploadId id = new UploadId(upload);
        try (PoolAccess pool = on.reachExisting()) {
            if (!pool.uploads().cancel(tenant.id(), id)) {
                throw new Failure("uploads.not-found", "tenant " + tenant.id() + " has no unfinished upload " + id);
            }
            on.answer("cancelled  " + id, new JsonObject().with("upload", id).with("cancelled", true));
        }
        return ExitCode.OK;
    }
}
