package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.InsufficientStorageException;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.store.Advice;
import io.entrepot.store.NotDoneException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class ComplaintTest {

    @Test
    void missingFile_isNamed() {
        assertThat(Complaint.about(new UncheckedIOException(new NoSuchFileException("/data/x"))))
                .isEqualTo(new Complaint("no-such-file", "/data/x", ExitCode.FAILED));
    }

    @Test
    void refusedFile_isNamed() {
        assertThat(Complaint.about(new AccessDeniedException("/data/x")))
                .isEqualTo(new Complaint("access-denied", "/data/x", ExitCode.FAILED));
    }

    @Test
    void otherInputOutput_keepsItsMessage() {
        assertThat(Complaint.about(new IOException("No space left on device")))
                .isEqualTo(new Complaint("io", "No space left on device", ExitCode.FAILED));
    }

    @Test
    void fullDisk_isNotNow() {
        assertThat(Complaint.about(new PoolUnavailableException("disk-full", Advice.RETRY, "x", null)).exit())
                .isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(Complaint.about(new InsufficientStorageException("x", null)).exit()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(Complaint.about(NotDoneException.diskFull("x", new IOException())).exit())
                .isEqualTo(ExitCode.UNAVAILABLE);
    }

    @Test
    void anythingElse_isABug() {
        assertThat(Complaint.about(new OutOfMemoryError())).isEqualTo(
                new Complaint("internal", "OutOfMemoryError: OutOfMemoryError", ExitCode.INTERNAL));
    }
}
