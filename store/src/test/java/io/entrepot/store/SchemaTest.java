package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class SchemaTest {

    @Test
    void statements_whenScriptHasCommentsAndSeveralLines_areCutAtSemicolonsAtTheEndOfLines() {
        assertThat(Schema.statements("""
                                     -- a comment; with a semicolon;

                                     CREATE TABLE a (
                                         -- inside
                                         x TEXT DEFAULT 'a;b'
                                     );
                                     INSERT INTO a VALUES (';');
                                     """)).containsExactly("CREATE TABLE a (\n    x TEXT DEFAULT 'a;b'\n);\n",
                "INSERT INTO a VALUES (';');\n");
    }

    @Test
    void statements_whenScriptEndsWithinOne_isRefused() {
        assertThatIllegalStateException().isThrownBy(() -> Schema.statements("CREATE TABLE a (x TEXT)"));
    }

    @Test
    void statements_whenSomethingFollowsOnTheSameLine_isRefused() {
        for (String script : new String[]{"DELETE FROM a; DELETE FROM b;",
                "DELETE FROM a; -- all of it\nDELETE FROM b;"}) {
            assertThatIllegalStateException().isThrownBy(() -> Schema.statements(script))
                    .withMessageContaining("end of its line");
        }
    }

    @Test
    void schema_whenNamelessOrVersionless_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Schema(" ", Store.class, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Schema("a", Store.class, 0));
    }

    @Test
    void onRestore_whenThereIsNoScript_isNothing() {
        assertThat(new Schema("a", Store.class, 1).onRestore("no such dialect")).isEmpty();
    }
}
