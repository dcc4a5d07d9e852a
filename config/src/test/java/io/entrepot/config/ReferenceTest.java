package io.entrepot.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReferenceTest {
    /** A reference is kept beside the code and compared: so would docs/configuration.md be. */
    private static final Path KEPT = Path.of("src/test/resources/io/entrepot/config/harbour.md");

    @Test
    void markdown_isWhatIsKept() throws IOException {
        String now = Reference.markdown("The harbour", Harbour.ROOT);
        if (Boolean.getBoolean("reference.write")) {
            Files.writeString(KEPT, now);
        }
        assertThat(now).as("the settings have changed: mvn test -pl config -Dtest=ReferenceTest -Dreference.write=true"
                + " writes " + KEPT + " anew").isEqualTo(Files.readString(KEPT));
    }
}
