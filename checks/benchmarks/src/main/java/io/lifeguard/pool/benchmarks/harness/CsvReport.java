package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.scenarios.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The raw values, one line per fork and metric, for other statistics. */
public final class CsvReport {
    private static final String HEADER = "scenario,rival,round,discarded,foreign_share,disturbed,metric,unit,value";
    private static final int COLUMNS = HEADER.split(",").length;

    private CsvReport() {}

    public static String of(Results results) {
        StringBuilder text = new StringBuilder(HEADER).append('\n');
        for (Result result : results.all()) {
            for (Map.Entry<Metric, Double> value : new TreeMap<>(result.values()).entrySet()) {
                text.append(String.format(
                        Locale.ROOT,
                        "%s,%s,%d,%d,%s,%b,%s,\"%s\",%s%n",
                        result.scenario(),
                        result.rival(),
                        result.round(),
                        result.discarded(),
                        result.foreignShare(),
                        result.disturbed(),
                        value.getKey().name().toLowerCase(Locale.ROOT),
                        value.getKey().unit(),
                        value.getValue()));
            }
        }
        return text.toString();
    }

    /**
     * Parses what {@link #of} has written.
     *
     * @throws UsageException if it is anything else
     */
    public static Results read(List<String> lines) {
        if (lines.isEmpty() || !lines.get(0).equals(HEADER)) {
            throw new UsageException("--append finds results that this version did not write; give another --out");
        }
        // the lines of one fork, in the order of the file; they differ in metric, unit and value only
        Map<List<String>, Map<Metric, Double>> forks = new LinkedHashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = cellsOf(line);
            forks.computeIfAbsent(cells.subList(0, COLUMNS - 3), fork -> new EnumMap<>(Metric.class))
                    .put(
                            Metric.valueOf(cells.get(COLUMNS - 3).toUpperCase(Locale.ROOT)),
                            Double.valueOf(cells.get(COLUMNS - 1)));
        }
        Results results = new Results();
        forks.forEach((fork, values) -> results.add(new Result(
                fork.get(0),
                fork.get(1),
                Integer.parseInt(fork.get(2)),
                Integer.parseInt(fork.get(3)),
                Double.parseDouble(fork.get(4)),
                Boolean.parseBoolean(fork.get(5)),
                values)));
        return results;
    }

    /** Splits a line. A unit is in quotes and may have commas. */
    private static List<String> cellsOf(String line) {
        String[] outsideQuotes = line.split("\"", -1);
        List<String> cells = new ArrayList<>(Arrays.asList(outsideQuotes[0].split(",")));
        cells.add(outsideQuotes[1]);
        cells.add(outsideQuotes[2].substring(1));
        return cells;
    }
}
