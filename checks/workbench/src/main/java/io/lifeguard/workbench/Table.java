package io.lifeguard.workbench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A Markdown table whose columns are also aligned in the source. One thread only. */
public final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... titles) {
        rows.add(List.of(titles));
    }

    public void row(String... cells) {
        if (cells.length != rows.get(0).size()) {
            throw new IllegalArgumentException(
                    "a row must have %d cells (was %s)".formatted(rows.get(0).size(), Arrays.toString(cells)));
        }
        rows.add(List.of(cells));
    }

    public String markdown() {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (int r = 0; r < rows.size(); r++) {
            append(text, rows.get(r), widths);
            if (r == 0) {
                appendRule(text, widths);
            }
        }
        return text.toString();
    }

    private void append(StringBuilder text, List<String> row, int[] widths) {
        for (int i = 0; i < widths.length; i++) {
            String padding = " ".repeat(widths[i] - row.get(i).length());
            text.append("| ")
                    .append(isFigures(i) ? padding + row.get(i) : row.get(i) + padding)
                    .append(' ');
        }
        text.append("|\n");
    }

    private void appendRule(StringBuilder text, int[] widths) {
        for (int i = 0; i < widths.length; i++) {
            text.append('|').append("-".repeat(widths[i] + 1)).append(isFigures(i) ? ':' : '-');
        }
        text.append("|\n");
    }

    /** Whether the column is aligned to the right: all its cells that are not empty begin like a number. */
    private boolean isFigures(int column) {
        return rows.stream()
                .skip(1)
                .map(row -> row.get(column))
                .allMatch(cell -> cell.isEmpty() || "0123456789-–≤≥".indexOf(cell.charAt(0)) >= 0);
    }
}
