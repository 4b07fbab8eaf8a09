package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.looks.Course;
import io.lifeguard.pool.corpus.workloads.Workload;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * A run of a workload that lasted a minute or longer, or began with a JVM. Immutable.
 *
 * @param workload the workload
 * @param course the findings from beginning to end
 * @param reliefMillis milliseconds from the beginning of the sickness to the relief, or to the end
 * @param relieved whether there was a relief; without one, nothing can outlive it
 */
public record LongOutcome(Workload workload, Course course, long reliefMillis, boolean relieved) {

    /** Ids whose rules wait for minutes by definition. Their time to a finding says nothing about the diagnosis. */
    private static final Set<String> PATIENT =
            Set.of("stuck-task", "failures-unseen", "pool-leaked", "oversized", "max-size-unreachable");

    private static final double STANDING = 0.95;
    private static final double SECONDS_TO_END = 5;
    private static final double STEADY = 0.1;
    private static final long STEADY_MILLIS = 60_000;

    /** The looks from the beginning of the sickness to the relief. */
    public Course sick() {
        return course.between(0, reliefMillis);
    }

    /** Seconds to the last of the required findings. Empty if one was never seen. */
    public OptionalDouble secondsToAll() {
        List<OptionalDouble> each =
                workload.must().stream().map(id -> sick().secondsTo(Set.of(id))).toList();
        return each.stream().allMatch(OptionalDouble::isPresent)
                ? each.stream().mapToDouble(OptionalDouble::getAsDouble).max()
                : OptionalDouble.empty();
    }

    /** Whether the time to a finding counts in the statistics. */
    public boolean isTimed() {
        return workload.isSick() && workload.must().stream().noneMatch(PATIENT::contains);
    }

    /** The smallest share of looks in which a required finding stands, once it was seen. */
    public double standing() {
        return workload.must().stream()
                .mapToDouble(id -> sick().standing(Set.of(id)).orElse(0))
                .min()
                .orElse(1);
    }

    /** Whether a required finding names what the label says it must, if the label says so. */
    private boolean namesPlace() {
        return workload.place()
                .map(place -> sick().names(workload.must(), place))
                .orElse(true);
    }

    /** The number of looks with contradictory findings. */
    public long contradictory() {
        return sick().contradictory(workload.must());
    }

    /** The ids that stood and that the label does not allow. */
    public Set<String> falseFindings() {
        Set<String> ids = sick().found();
        ids.removeAll(workload.must());
        ids.removeAll(workload.may());
        return ids;
    }

    /** Whether the required findings must end with the relief. */
    public boolean mustEnd() {
        return relieved && workload.curable();
    }

    /** Seconds from the relief until the required findings are gone. Empty if there was no relief or they stayed. */
    public OptionalDouble secondsToEnd() {
        return mustEnd()
                ? course.between(reliefMillis, Long.MAX_VALUE).secondsToEnd(workload.must(), reliefMillis)
                : OptionalDouble.empty();
    }

    /** The recommended sizes, from the smallest to the largest. */
    public String sizes() {
        List<Integer> sizes = sick().recommendedSizes(workload.must()).stream()
                .sorted(Comparator.naturalOrder())
                .distinct()
                .toList();
        if (sizes.isEmpty()) {
            return "";
        }
        int last = sizes.get(sizes.size() - 1);
        return sizes.get(0) == last ? Integer.toString(last) : sizes.get(0) + "–" + last;
    }

    /**
     * Whether the recommended size stays the same for the last minute, within a tenth, or within one worker because
     * sizes are whole numbers.
     */
    public boolean isSteady() {
        List<Integer> sizes =
                course.between(reliefMillis - STEADY_MILLIS, reliefMillis).recommendedSizes(workload.must()).stream()
                        .sorted()
                        .toList();
        if (sizes.isEmpty()) {
            return true;
        }
        int middle = sizes.get(sizes.size() / 2);
        double most = Math.max(1, STEADY * middle);
        return sizes.get(sizes.size() - 1) - middle <= most && middle - sizes.get(0) <= most;
    }

    /** What is wrong with this run; empty when nothing is. */
    public Optional<String> wrong() {
        if (workload.isSick() && secondsToAll().isEmpty()) {
            return Optional.of("not found");
        } else if (!namesPlace()) {
            return Optional.of("no place");
        } else if (standing() < STANDING) {
            return Optional.of("not standing");
        } else if (contradictory() > 0) {
            return Optional.of("contradictory");
        } else if (!falseFindings().isEmpty()) {
            return Optional.of("false findings");
        } else if (mustEnd() && secondsToEnd().orElse(Double.MAX_VALUE) > SECONDS_TO_END) {
            return Optional.of("outlives the cure");
        }
        if (!isSteady()) {
            return Optional.of("unsteady size");
        }
        return workload.sizes()
                .filter(right ->
                        sick().recommendedSizes(workload.must()).stream().anyMatch(size -> !right.holds(size)))
                .map(right -> "not " + right + " workers");
    }
}
