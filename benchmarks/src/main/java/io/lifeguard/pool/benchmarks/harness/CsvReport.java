package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.scenarios.Metric;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The raw values, one line per fork and metric, for those who want other statistics. */
public final class CsvReport {
    private static final String HEADER = "scenario,rival,round,foreign_share,disturbed,metric,unit,value\n";

    private CsvReport() {}

    public static String of(Results results) {
        StringBuilder text = new StringBuilder(HEADER);
        for (Result result : results.all()) {
            for (Map.Entry<Metric, Double> value : new TreeMap<>(result.values()).entrySet()) {
                text.append(String.format(
                        Locale.ROOT,
                        "%s,%s,%d,%.4f,%b,%s,\"%s\",%s%n",
                        result.scenario(),
                        result.rival(),
                        result.round(),
                        result.foreignShare(),
                        result.disturbed(),
                        value.getKey().name().toLowerCase(Locale.ROOT),
                        value.getKey().unit(),
                        value.getValue()));
            }
        }
        return text.toString();
    }
}
