package io.entrepot.pool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProtectedDirectoriesTest {

    @Test
    void test_whateverThePattern_isOfWholePaths() {
        ProtectedDirectories some = new ProtectedDirectories(List.of("acme", "b*/a1", "deep/**", "a.b"));

        assertThat(List.of("acme", "b/a1", "bc/a1", "deep/a1", "deep/a1/b2", "a.b")).allMatch(some);
        assertThat(List.of("acme/a1", "acmes", "b/c/a1", "deep", "axb", "")).noneMatch(some);
        assertThat(new ProtectedDirectories(List.of("*"))).accepts("acme", "other").rejects("acme/a1");
    }
}
