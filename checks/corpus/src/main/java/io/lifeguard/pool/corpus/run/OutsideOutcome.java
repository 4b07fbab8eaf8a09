package io.lifeguard.pool.corpus.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.lifeguard.pool.corpus.looks.Standing;
import io.lifeguard.pool.corpus.looks.Watcher;
import io.lifeguard.pool.corpus.workloads.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a watcher said of a workload from outside. Immutable.
 *
 * @param workload the workload
 * @param verdicts the findings in the order in which they were first said, each once for each pool
 * @param threads the most threads that a pool had, by the watcher's count; 0 when it saw none
 * @param log what the watcher printed beside its findings: its errors
 * @param notRun why it could not be run on this machine; empty when it was run
 */
public record OutsideOutcome(Workload workload, List<Verdict> verdicts, int threads, List<String> log, String notRun) {

    /** A first verdict that comes later than that is late. */
    public static final double SECONDS_TO_VERDICT = 15;

    /** Copies the lists. */
    public OutsideOutcome {
        verdicts = List.copyOf(verdicts);
        log = List.copyOf(log);
    }

    /**
     * A finding.
     *
     * @param id the finding's id
     * @param pool the pool's name
     * @param seconds from the start of the watcher, or from the moment at which the workload became sick if that is
     *     later, to the first line with it
     * @param size the size that was recommended last; empty when there was none
     * @param text the first summary
     */
    public record Verdict(String id, String pool, double seconds, OptionalInt size, String text) {}

    static OutsideOutcome notRun(Workload workload, String why) {
        return new OutsideOutcome(workload, List.of(), 0, List.of(), why);
    }

    /**
     * Reads what a watcher printed.
     *
     * @param began when it was started, in milliseconds of the wall clock
     * @param sickSince how many milliseconds later the workload became sick, at most zero if it was sick before
     */
    static OutsideOutcome of(Workload workload, long began, long sickSince, List<String> lines) {
        long from = began + Math.max(0, sickSince);
        List<Verdict> verdicts = new ArrayList<>();
        List<String> log = new ArrayList<>();
        int threads = 0;
        for (String line : lines) {
            if (!Watcher.isWindow(line)) {
                log.add(line);
                continue;
            }
            JsonNode window = Watcher.parse(line);
            double seconds = (Instant.parse(window.get("time").asText()).toEpochMilli() - from) / 1e3;
            for (JsonNode pool : window.get("pools")) {
                threads = Math.max(threads, pool.get("threads").asInt());
                for (JsonNode finding : pool.get("findings")) {
                    add(verdicts, pool.get("name").asText(), finding, seconds);
                }
            }
        }
        return new OutsideOutcome(workload, verdicts, threads, log, "");
    }

    private static void add(List<Verdict> verdicts, String pool, JsonNode finding, double seconds) {
        String id = finding.get("id").asText();
        Optional<Verdict> known = verdicts.stream()
                .filter(each -> each.id().equals(id) && each.pool().equals(pool))
                .findFirst();
        OptionalInt size = finding.has("recommendedSize")
                ? OptionalInt.of(finding.get("recommendedSize").asInt())
                : OptionalInt.empty();
        if (known.isEmpty()) {
            verdicts.add(new Verdict(
                    id,
                    pool,
                    seconds,
                    size,
                    Sighting.printable(finding.get("summary").asText())));
        } else if (size.isPresent()) {
            Verdict first = known.get();
            verdicts.set(verdicts.indexOf(first), new Verdict(id, pool, first.seconds(), size, first.text()));
        }
    }

    /** Whether the workload was run. */
    public boolean wasRun() {
        return notRun.isEmpty();
    }

    /** Whether one of the findings that the label requires was said in time. */
    public boolean isNamed() {
        return right().filter(first -> first.seconds() <= SECONDS_TO_VERDICT).isPresent();
    }

    /** The first finding that the label requires; empty when none was said. */
    public Optional<Verdict> right() {
        return verdicts.stream()
                .filter(verdict -> workload.must().contains(verdict.id()))
                .findFirst();
    }

    /** Whether the right finding names the place that the label gives; empty when the label gives none. */
    public Optional<Boolean> isPlaceRight() {
        return workload.place()
                .map(place -> right().filter(verdict -> verdict.text().contains(place))
                        .isPresent());
    }

    /** The ids that were said and that the label does not allow. */
    public Set<String> falseFindings() {
        return verdicts.stream()
                .map(Verdict::id)
                .filter(id -> !id.equals(Standing.LEAST))
                .filter(id -> !workload.must().contains(id) && !workload.may().contains(id))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
