package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.diagnosis.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A finding as a monitor raised it first. Immutable.
 *
 * @param id the finding's id
 * @param pool the pool's name
 * @param window the window in which it was raised; 1 is the first since the workload is sick, and lower numbers came
 *     before
 * @param recommendedSize the recommended size, 0 when there is none
 * @param text summary and evidence, for people
 */
public record Sighting(String id, String pool, int window, int recommendedSize, String text) {

    private static final String MARK = "@finding";

    /** A finding that was raised so many nanoseconds after the workload became sick. */
    static Sighting of(Finding finding, long nanosSinceSick, long windowNanos) {
        return new Sighting(
                finding.id(),
                finding.pool(),
                (int) Math.ceil((double) nanosSinceSick / windowNanos),
                finding.recommendedSize().orElse(0),
                finding.summary() + " | " + finding.advice() + " | " + finding.evidence());
    }

    String line() {
        return String.join(
                "\t",
                MARK,
                id,
                printable(pool),
                Integer.toString(window),
                Integer.toString(recommendedSize),
                printable(text));
    }

    /** Parses a line of a fork's output. Empty if it is no sighting. */
    static Optional<Sighting> parse(String line) {
        List<String> parts = new ArrayList<>(List.of(line.split("\t", -1)));
        if (parts.size() != 6 || !parts.get(0).equals(MARK)) {
            return Optional.empty();
        }
        return Optional.of(new Sighting(
                parts.get(1),
                parts.get(2),
                Integer.parseInt(parts.get(3)),
                Integer.parseInt(parts.get(4)),
                parts.get(5)));
    }

    static String printable(String text) {
        return text.replaceAll("\\p{Cc}", " ");
    }
}
