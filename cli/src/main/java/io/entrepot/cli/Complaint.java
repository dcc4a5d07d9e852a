package io.entrepot.cli;

import io.entrepot.config.ConfigurationException;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.job.JobException;
import io.entrepot.posix.PosixException;
import io.entrepot.queue.QueueException;
import io.entrepot.scan.StrandedException;
import io.entrepot.server.CannotListenException;
import io.entrepot.store.DirectoryInUseException;
import io.entrepot.store.OutcomeUnknownException;
import io.entrepot.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** The one line in which the user is told that something went wrong. */
record Complaint(String code, String message, int exit) {

    /** Each family of exceptions that a command can meet is translated here, and nowhere else. */
    static Complaint about(Throwable e) {
        return switch (e) {
            case Failure f -> new Complaint(f.code(), text(f), f.exit());
            case PoolUnavailableException p when p.code().endsWith(".damaged") -> new Complaint(p.code(),
                    text(p) + "; see 'entrepot help pool recover'", PoolExit.of(p));
            case PoolException p -> new Complaint(p.code(), text(p), PoolExit.of(p));
            case ConfigurationException c -> new Complaint(c.code(), text(c), ExitCode.USAGE);
            case CannotListenException c -> new Complaint(c.code(), text(c), ExitCode.UNAVAILABLE);
            case JobException j -> new Complaint(j.code(), text(j), ExitCode.FAILED);
            case DirectoryInUseException s -> new Complaint(s.code(), text(s), ExitCode.UNAVAILABLE);
            case OutcomeUnknownException s -> new Complaint(s.code(), text(s), ExitCode.UNKNOWN);
            case StoreException s when s.code().endsWith(".disk-full") -> new Complaint(s.code(), text(s),
                    ExitCode.UNAVAILABLE);
            case StoreException s -> new Complaint(s.code(), text(s), ExitCode.FAILED);
            case QueueException q -> new Complaint(q.code(), text(q), ExitCode.FAILED);
            case LeaseLostException l -> new Complaint(l.code(), text(l), ExitCode.LEASE_LOST);
            case StrandedException s -> new Complaint("scan.stranded", text(s), ExitCode.FAILED);
            case PosixException p -> new Complaint("system-call", text(p), ExitCode.FAILED);
            case IllegalArgumentException i -> new Complaint("usage", text(i), ExitCode.USAGE);
            case UncheckedIOException u when u.getCause() != null -> about(u.getCause());
            case NoSuchFileException f -> new Complaint("no-such-file", f.getFile(), ExitCode.FAILED);
            case AccessDeniedException f -> new Complaint("access-denied", f.getFile(), ExitCode.FAILED);
            case FileSystemException f -> new Complaint("file-system", text(f), ExitCode.FAILED);
            case IOException i -> new Complaint("io", text(i), ExitCode.FAILED);
            default -> new Complaint("internal", e.getClass().getSimpleName() + ": " + text(e), ExitCode.INTERNAL);
        };
    }

    /** A line for each mistake of a configuration file, so that all can be put right at once; one line for all else. */
    static List<Complaint> allAbout(Throwable e) {
        return e instanceof ConfigurationException c
                ? c.mistakes().stream().map(it -> new Complaint(c.code(), it.toString(), ExitCode.USAGE)).toList()
                : List.of(about(e));
    }

    void print(PrintWriter err) {
        err.println("entrepot: " + code + ": " + message.lines().map(String::strip).reduce("", Complaint::joined));
    }

    private static String joined(String a, String b) {
        return a.isEmpty() ? b : a + " " + b;
    }

    static String text(Throwable e) {
        var message = e.getMessage();
        return message == null || message.isBlank() ? e.getClass().getSimpleName() : message;
    }
}
