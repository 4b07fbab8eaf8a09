package io.lifeguard.pool.corpus.looks;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The findings of a run from beginning to end, four looks a second. Immutable.
 *
 * @param looks the looks, in order
 * @param log what else the run printed, for people
 */
public record Course(List<Look> looks, List<String> log) {

    /** Copies the lists. */
    public Course {
        looks = List.copyOf(looks);
        log = List.copyOf(log);
    }

    /** Parses a fork's output. */
    public static Course parse(List<String> lines) {
        List<String> others = new ArrayList<>();
        return new Course(Look.parse(lines, others), others);
    }

    /** The looks from a moment, inclusive, to another, exclusive. */
    public Course between(long fromMillis, long toMillis) {
        return new Course(
                looks.stream()
                        .filter(look -> look.millis() >= fromMillis && look.millis() < toMillis)
                        .toList(),
                log);
    }

    /** The ids that ever stood. */
    public Set<String> found() {
        return looks.stream()
                .flatMap(look -> look.findings().stream().map(Standing::id))
                .filter(id -> !id.equals(Standing.LEAST))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Seconds until one of these findings was first seen; empty if never. */
    public OptionalDouble secondsTo(Set<String> ids) {
        return looks.stream()
                .filter(look -> look.shows(ids))
                .mapToDouble(look -> Math.max(0, look.millis()) / 1e3)
                .findFirst();
    }

    /** The share of looks in which one of these findings stands, from the first look that shows one. */
    public OptionalDouble standing(Set<String> ids) {
        List<Look> since = since(ids);
        return since.stream().mapToDouble(look -> look.shows(ids) ? 1 : 0).average();
    }

    private List<Look> since(Set<String> ids) {
        return looks.stream().dropWhile(look -> !look.shows(ids)).toList();
    }

    /** The number of looks with contradictory findings, given the ids that are right. */
    public long contradictory(Set<String> right) {
        List<Standing> rightOnes = all(right);
        return looks.stream().filter(look -> look.isContradictory(rightOnes)).count();
    }

    /** Seconds after which none of these findings is seen any longer. Empty if the last look still shows one. */
    public OptionalDouble secondsToEnd(Set<String> ids, long fromMillis) {
        int last = IntStream.range(0, looks.size())
                .filter(i -> looks.get(i).shows(ids))
                .reduce(-1, (a, b) -> b);
        if (last == looks.size() - 1) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(last < 0 ? 0 : (looks.get(last + 1).millis() - fromMillis) / 1e3);
    }

    /** All findings with these ids, look by look. */
    public List<Standing> all(Set<String> ids) {
        return looks.stream()
                .flatMap(look -> look.findings().stream())
                .filter(finding -> ids.contains(finding.id()))
                .toList();
    }

    /** The recommended sizes of these findings, in order and without repetitions of the same number. */
    public List<Integer> recommendedSizes(Set<String> ids) {
        List<Integer> sizes = new ArrayList<>();
        for (Standing finding : all(ids)) {
            finding.recommendedSize().ifPresent(size -> {
                if (sizes.isEmpty() || sizes.get(sizes.size() - 1) != size) {
                    sizes.add(size);
                }
            });
        }
        return sizes;
    }

    /** What stood, a line for each change, for people. */
    public List<String> changes() {
        List<String> lines = new ArrayList<>();
        String before = "";
        for (Look look : looks) {
            String now = look.findings().stream()
                    .map(finding -> finding.id() + " (" + finding.pool() + ", " + finding.size() + " to "
                            + finding.recommendedSize() + ")")
                    .collect(Collectors.joining(", "));
            if (!now.equals(before)) {
                lines.add("%.1f s: %s".formatted(look.millis() / 1e3, now.isEmpty() ? "nothing" : now));
            }
            before = now;
        }
        return lines;
    }

    /** Whether one of these findings names the place. */
    public boolean names(Set<String> ids, String place) {
        return all(ids).stream().anyMatch(finding -> finding.names(place));
    }
}
