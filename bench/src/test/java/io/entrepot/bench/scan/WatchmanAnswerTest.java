package io.entrepot.bench.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import org.junit.jupiter.api.Test;

class WatchmanAnswerTest {

    private static WatchmanAnswer read(String text) throws IOException {
        return WatchmanAnswer.read(new StringReader(text));
    }

    @Test
    void files_areCounted_whateverTheirNamesAre() throws Exception {
        WatchmanAnswer answer = read("""
                                     {
                                         "is_fresh_instance": true,
                                         "version": "4.9.0",
                                         "files": [
                                             {
                                                 "mtime": 1794848366,
                                                 "size": 0,
                                                 "name": "d/g"
                                             },
                                             {
                                                 "mtime": 1794848366,
                                                 "size": 7,
                                                 "name": "\\n\\"error\\": \\"name\\": "
                                             }
                                         ],
                                         "clock": "c:1794848365:26092:1:3"
                                     }
                                     """);
        assertThat(answer.files()).isEqualTo(2);
        assertThat(answer.error()).isEmpty();
        assertThat(answer.watched()).isEmpty();
    }

    @Test
    void file_doesNotCount_whenItsSizeIsMissing() throws Exception {
        assertThat(read("""
                        {
                            "files": [
                                {
                                    "mtime": 1794848366,
                                    "name": "d/g"
                                }
                            ]
                        }
                        """).files()).isZero();
    }

    @Test
    void watch_isSaid() throws Exception {
        assertThat(read("""
                        {
                            "watch": "/tmp/t",
                            "watcher": "inotify",
                            "version": "4.9.0"
                        }
                        """).watched()).contains("/tmp/t");
    }

    @Test
    void error_isSaid() throws Exception {
        assertThat(read("""
                        {
                            "version": "4.9.0",
                            "error": "unable to resolve root /t: directory /t is not watched"
                        }
                        """).error()).contains("unable to resolve root /t: directory /t is not watched");
    }

    @Test
    void answer_isRefused_whenItBreaksOff() {
        assertThatThrownBy(() -> read("")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> read("{\n    \"files\": [\n")).hasMessageContaining("in the middle of an answer");
    }
}
