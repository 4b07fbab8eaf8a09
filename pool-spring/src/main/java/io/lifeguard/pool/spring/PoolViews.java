package io.lifeguard.pool.spring;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the endpoint shows, as it becomes JSON. Durations are numbers of seconds, and the names of their fields end so; what is unknown is absent.
 * Stateless.
 */
final class PoolViews {

    private static final int MOST_KINDS = 16;

    private PoolViews() {}

    /**
     * All pools.
     *
     * @param pools by name
     * @param omittedPools how many are not shown
     * @param findings of all pools, worst first
     * @param omittedFindings how many are not shown
     * @param blindSpots what can and cannot be seen of what runs tasks and is no pool, or cannot be read, by name; absent when there is nothing of
     *     the kind
     */
    record Overview(
            List<Summary> pools,
            int omittedPools,
            List<FindingView> findings,
            int omittedFindings,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> blindSpots) {}

    /**
     * A pool in one line.
     *
     * @param name its name
     * @param kind {@code instrumented} or {@code watched}
     * @param liveThreads workers that there are now; a pool starts them as tasks come
     * @param coreSize workers that stay
     * @param maximumSize workers at most
     * @param active workers that run a task
     * @param queued tasks that wait
     * @param queueRemaining free places in the queue; absent when it has no bound
     * @param completed tasks that ended
     * @param findings ids of what is raised
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Summary(
            String name,
            String kind,
            int liveThreads,
            int coreSize,
            int maximumSize,
            int active,
            int queued,
            @Nullable Integer queueRemaining,
            long completed,
            List<String> findings) {

        static Summary of(PoolSnapshot pool, boolean measured, List<Finding> findings) {
            return new Summary(
                    pool.name(),
                    measured ? "instrumented" : "watched",
                    pool.size(),
                    pool.limits().coreSize(),
                    pool.limits().maximumSize(),
                    pool.active(),
                    pool.queued(),
                    bounded(pool.limits().queueRemaining()),
                    pool.completed(),
                    findings.stream().map(Finding::id).toList());
        }
    }

    /**
     * One pool.
     *
     * @param pool in one line
     * @param submitted tasks that were accepted
     * @param failed tasks that ended with an exception
     * @param rejected tasks turned away
     * @param callerRuns tasks run by those who submitted them
     * @param blockedNow submitters that wait for room
     * @param oldestQueuedSeconds age of the queue's head
     * @param times the distributions, by name
     * @param kinds the tasks by kind, most wall time first
     * @param omittedKinds how many are not shown
     * @param findings what is raised
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Detail(
            Summary pool,
            long submitted,
            @Nullable Long failed,
            @Nullable Long rejected,
            @Nullable Long callerRuns,
            @Nullable Integer blockedNow,
            @Nullable BigDecimal oldestQueuedSeconds,
            Map<String, Times> times,
            List<Kind> kinds,
            int omittedKinds,
            List<FindingView> findings) {

        static Detail of(PoolSnapshot pool, boolean measured, List<Finding> findings) {
            return new Detail(
                    Summary.of(pool, measured, findings),
                    pool.submitted(),
                    measured ? pool.failed() : null,
                    measured ? pool.rejected() : null,
                    measured ? pool.callerRuns() : null,
                    measured ? pool.saturation().blockedNow() : null,
                    measured ? JsonValues.seconds(pool.load().oldestQueued()) : null,
                    timesOf(pool),
                    pool.kinds().stream().limit(MOST_KINDS).map(Kind::of).toList(),
                    Math.max(0, pool.kinds().size() - MOST_KINDS),
                    findings.stream().map(FindingView::of).toList());
        }
    }

    /**
     * A distribution.
     *
     * @param count how many values
     * @param meanSeconds their mean
     * @param p50Seconds half of them are below it
     * @param p99Seconds 99 of 100 are below it
     * @param maxSeconds the largest
     * @param accuracy {@code exact} or {@code sampled}
     */
    record Times(
            long count,
            BigDecimal meanSeconds,
            BigDecimal p50Seconds,
            BigDecimal p99Seconds,
            BigDecimal maxSeconds,
            String accuracy) {

        static Times of(Distribution times) {
            return new Times(
                    times.count(),
                    JsonValues.seconds(times.mean()),
                    JsonValues.seconds(times.percentile(0.5)),
                    JsonValues.seconds(times.percentile(0.99)),
                    JsonValues.seconds(times.max()),
                    times.accuracy().name().toLowerCase(Locale.ROOT));
        }
    }

    /**
     * A kind of tasks.
     *
     * @param name the kind
     * @param count how many ran
     * @param wallSeconds their wall time in sum
     * @param cpuSeconds their CPU time in sum
     * @param queueWaitSeconds their queue wait in sum
     */
    record Kind(String name, long count, BigDecimal wallSeconds, BigDecimal cpuSeconds, BigDecimal queueWaitSeconds) {

        static Kind of(PoolSnapshot.TaskKind kind) {
            return new Kind(
                    kind.name(),
                    kind.count(),
                    JsonValues.seconds(kind.wall()),
                    JsonValues.seconds(kind.cpu()),
                    JsonValues.seconds(kind.queueWait()));
        }
    }

    /**
     * The findings of one pool.
     *
     * @param findings worst first
     */
    record Findings(List<FindingView> findings) {}

    /**
     * A finding.
     *
     * @param id which
     * @param severity {@code info}, {@code warning} or {@code critical}
     * @param pool of which pool
     * @param summary the cause
     * @param advice what to do
     * @param evidence the numbers; durations have {@code Seconds} behind their names
     * @param recommendedSize the workers that the pool should have; absent when the advice is no size
     * @param since when it was first seen
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record FindingView(
            String id,
            String severity,
            String pool,
            String summary,
            String advice,
            Map<String, Object> evidence,
            @Nullable Integer recommendedSize,
            String since) {

        static FindingView of(Finding finding) {
            Instant since = finding.since();
            return new FindingView(
                    finding.id(),
                    finding.severity().name().toLowerCase(Locale.ROOT),
                    finding.pool(),
                    finding.summary(),
                    finding.advice(),
                    JsonValues.evidence(finding),
                    finding.recommendedSize().isPresent()
                            ? finding.recommendedSize().getAsInt()
                            : null,
                    since.toString());
        }
    }

    /**
     * What the threads of a pool do.
     *
     * @param threads how many are in the groups
     * @param omittedThreads how many are in none of them
     * @param groups threads that do the same at the same place, largest first
     */
    record Threads(int threads, int omittedThreads, List<Group> groups) {}

    /**
     * Threads in the same state with the same stack.
     *
     * @param count how many
     * @param state the JVM's word for it
     * @param doing ours
     * @param names of up to eight of them
     * @param omittedNames of how many the names are not shown
     * @param lock what they wait for; absent when they do not
     * @param lockOwner the thread that holds it; absent when nobody does, or it is not known
     * @param stack top first
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Group(
            int count,
            String state,
            String doing,
            List<String> names,
            int omittedNames,
            @Nullable String lock,
            @Nullable String lockOwner,
            List<String> stack) {}

    /**
     * A pool was resized.
     *
     * @param pool which
     * @param sizeBefore the workers that it had at most
     * @param size the workers that it has now, when all are started: core and maximum alike
     */
    record Resized(String pool, int sizeBefore, int size) {}

    private static @Nullable Integer bounded(int places) {
        return places == Integer.MAX_VALUE ? null : places;
    }

    private static Map<String, Times> timesOf(PoolSnapshot pool) {
        Map<String, Times> times = new LinkedHashMap<>();
        put(times, "queueWait", pool.queueWait());
        put(times, "serviceTime", pool.serviceTime());
        put(times, "cpuTime", pool.cpuTime());
        put(times, "blockedSubmit", pool.blockedSubmit());
        put(times, "callerRunTime", pool.callerRunTime());
        return times;
    }

    private static void put(Map<String, Times> times, String name, Distribution values) {
        if (values.isKnown()) {
            times.put(name, Times.of(values));
        }
    }
}
