package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What tables are made of. */
class TableTextTest {

    @Test
    void sizes_areReadAndWritten() {
        assertThat(Sizes.of(0)).isEqualTo("0 B");
        assertThat(Sizes.of(1023)).isEqualTo("1023 B");
        assertThat(Sizes.of(1024)).isEqualTo("1.0 KiB");
        assertThat(Sizes.of((1 << 20) - 1)).isEqualTo("1.0 MiB");
        assertThat(Sizes.of(200L << 30)).isEqualTo("200 GiB");
        assertThat(Sizes.of(Long.MAX_VALUE)).isEqualTo("8192 PiB");
        assertThat(Sizes.parse("512")).isEqualTo(512);
        assertThat(Sizes.parse("64K")).isEqualTo(64 << 10);
        assertThat(Sizes.parse("2GiB")).isEqualTo(2L << 30);
        for (String bad : new String[]{"", "1.5G", "-1", "10GB", "9999999999999P"}) {
            assertThatThrownBy(() -> Sizes.parse(bad)).as(bad).isInstanceOf(Failure.class);
        }
    }

    @Test
    void durations_areWrittenShort() {
        assertThat(Times.of(Duration.ofMillis(340))).isEqualTo("0.3 s");
        assertThat(Times.of(Duration.ofSeconds(90))).isEqualTo("90 s");
        assertThat(Times.of(Duration.ofMinutes(12))).isEqualTo("12 min");
        assertThat(Times.of(Duration.ofHours(30))).isEqualTo("30.0 h");
    }

    @Test
    void cut_keepsTextOnItsLineAndInItsPlace() {
        assertThat(TextWidth.cut("two\nlines\t", 20)).isEqualTo("two lines");
        assertThat(TextWidth.cut("0123456789", 5)).isEqualTo("0123…");
        assertThat(TextWidth.cut("文件名文件名", 5)).isEqualTo("文件…");
        assertThat(TextWidth.of("e\u0301")).isEqualTo(1);
    }

    @Test
    void columns_whenPrintedInPieces_stayWhereTheyAre() {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        Columns table = new Columns("NAME", "N", "").right(1);
        table.row("文件", 5, "x").print(out);
        table.row("a", 12, "y").print(out);
        table.row("longer one", 1, "z").print(out);
        out.flush();
        assertThat(text.toString()).isEqualTo("NAME  N\n文件  5  x\na     12  y\nlonger one   1  z\n");
    }
}
