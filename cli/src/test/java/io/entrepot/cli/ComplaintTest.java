package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
    void anythingElse_isABug() {
        assertThat(Complaint.about(new OutOfMemoryError())).isEqualTo(
                new Complaint("internal", "OutOfMemoryError: OutOfMemoryError", ExitCode.INTERNAL));
    }
}
