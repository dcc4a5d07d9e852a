package io.entrepot.posix.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.posix.Capability;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Name;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** User attributes. On disk, as older kernels have none in memory. */
abstract class AttributesContract extends CallsContract {

    AttributesContract(FileCalls calls) {
        super(calls);
    }

    @Override
    Workplace place() throws IOException {
        return Workplace.onDisk();
    }

    @BeforeEach
    void needAttributes() throws IOException {
        Assumptions.assumeTrue(Files.getFileStore(workplace.path()).supportsFileAttributeView("user"),
                "the file system of the build has no user attributes");
        write(A, "");
    }

    @Test
    void attributes_whenSet_areThereUntilRemoved() throws IOException {
        assertThat(directory.attributes(A)).isEmpty();
        assertThat(directory.attribute(A, "one")).isEmpty();
        directory.setAttribute(A, "one", "first".getBytes(UTF_8));
        directory.setAttribute(A, "two", new byte[0]);
        directory.setAttribute(A, "one", "second".getBytes(UTF_8));
        assertThat(directory.attribute(A, "one"))
                .hasValueSatisfying(v -> assertThat(v).asString(UTF_8).isEqualTo("second"));
        assertThat(directory.attribute(A, "two")).hasValueSatisfying(v -> assertThat(v).isEmpty());
        assertThat(directory.attributes(A)).containsExactlyInAnyOrder("one", "two");
        assertThat(Files.getAttribute(path("a"), "user:one")).isEqualTo("second".getBytes(UTF_8));
        assertThat(directory.removeAttribute(A, "one")).isTrue();
        assertThat(directory.removeAttribute(A, "one")).isFalse();
        assertThat(directory.attributes(A)).containsExactly("two");
    }

    @Test
    void attributes_ofWhatIsMissing_areENOENT() {
        assertThat(errno(() -> directory.attribute(MISSING, "x"))).isSameAs(Errno.ENOENT);
        assertThat(errno(() -> directory.attributes(MISSING))).isSameAs(Errno.ENOENT);
        assertThat(errno(() -> directory.setAttribute(MISSING, "x", new byte[1]))).isSameAs(Errno.ENOENT);
        assertThat(errno(() -> directory.removeAttribute(MISSING, "x"))).isSameAs(Errno.ENOENT);
    }

    @Test
    void attributes_ofASymlink_areNotThoseOfItsTarget() throws IOException {
        directory.setAttribute(A, "one", new byte[]{1});
        Files.createSymbolicLink(path("link"), Path.of("a"));
        assertThat(errno(() -> directory.setAttribute(Name.of("link"), "one", new byte[]{2}))).isNotSameAs(Errno.NONE);
        assertThat(directory.attribute(A, "one")).hasValueSatisfying(v -> assertThat(v).containsExactly(1));
    }

    @Test
    void attributes_whenTheNameIsRaw_work() throws IOException {
        if (calls.can(Capability.RAW_NAMES)) {
            write(RAW, "");
            directory.setAttribute(RAW, "key", "ü".getBytes(UTF_8));
            assertThat(directory.attribute(RAW, "key")).isPresent();
        } else {
            assertThat(errno(() -> directory.create(RAW))).isNotSameAs(Errno.NONE);
        }
    }
}
