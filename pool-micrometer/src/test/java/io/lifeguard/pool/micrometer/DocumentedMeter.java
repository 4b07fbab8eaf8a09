package io.lifeguard.pool.micrometer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One row of the tables in docs/meters.md. */
record DocumentedMeter(String meter, String type, String unit, Set<String> tags, Set<String> prometheus) {

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    static List<DocumentedMeter> rows() throws IOException {
        return Files.readAllLines(Path.of("../docs/meters.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|", -1))
                .filter(cells -> cells.length == 8)
                .map(cells -> new DocumentedMeter(
                        codes(cells[1]).iterator().next(),
                        cells[2].strip(),
                        cells[3].strip(),
                        codes(cells[4]),
                        codes(cells[5])))
                .toList();
    }

    private static Set<String> codes(String cell) {
        Matcher matcher = CODE.matcher(cell);
        return matcher.results().map(result -> result.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public String toString() {
        return String.join(" | ", Arrays.asList(meter, type, unit, tags.toString(), prometheus.toString()));
    }
}
