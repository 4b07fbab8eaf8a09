package io.lifeguard.pool.benchmarks.harness;

import java.util.Locale;
import java.util.Optional;

/** Formats numbers for people, with about three significant digits. */
final class Figures {
    static final String NONE = "–";

    private Figures() {}

    static String plain(double value) {
        double size = Math.abs(value);
        if (Double.isNaN(value)) {
            return NONE;
        }
        if (size < 0.005) {
            return "0";
        }
        return String.format(Locale.ROOT, size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f", value);
    }

    static String median(Optional<Summary> summary) {
        return summary.map(values -> plain(values.median())).orElse(NONE);
    }

    /** Quartiles, then the extremes. */
    static String spread(Optional<Summary> summary) {
        return summary.map(values -> "%s–%s (%s–%s)"
                        .formatted(
                                plain(values.lower()), plain(values.upper()), plain(values.min()), plain(values.max())))
                .orElse(NONE);
    }

    static String ratio(Optional<Summary> summary) {
        return summary.map(values -> ratio(values.median())).orElse(NONE);
    }

    static String ratioSpread(Optional<Summary> summary) {
        return summary.map(values -> "%s–%s".formatted(ratio(values.lower()), ratio(values.upper())))
                .orElse(NONE);
    }

    static String ratio(double value) {
        return String.format(Locale.ROOT, "%.2f×", value);
    }
}
