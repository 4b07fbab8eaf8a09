package io.lifeguard.workbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableTest {

    @Test
    void markdown_wordsAndFigures_standLeftAndRight() {
        Table table = new Table("pool", "tasks/s");
        table.row("ours", "1,700");
        table.row("theirs, patched", "–");

        assertThat(table.markdown()).isEqualTo("""
                        | pool            | tasks/s |
                        |-----------------|--------:|
                        | ours            |   1,700 |
                        | theirs, patched |       – |
                        """);
    }

    @Test
    void row_cellMissing_isRefusedWithTheCells() {
        assertThatThrownBy(() -> new Table("pool", "tasks/s").row("ours"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a row must have 2 cells (was [ours])");
    }
}
