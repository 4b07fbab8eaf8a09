package io.lifeguard.pool.spring.endpoint;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of the endpoint, as records. Durations are numbers of seconds, in fields whose names end with {@code Seconds}. Unknown values are absent.
 * Fields that begin with {@code omitted} say how many items were left out. Stateless.
 */
final class PoolViews {

    private static final int MOST_KINDS = 16;

    private PoolViews() {}

    /**
     * All pools.
     *
     * @param findings of all pools, worst first
     * @param unseen why executors cannot be observed or read, by name; absent if there are none
     */
    record Overview(
            List<Summary> pools,
            int omittedPools,
            List<FindingView> findings,
            int omittedFindings,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> unseen) {}

    /**
     * A pool in one line.
     *
     * @param kind {@code instrumented} or {@code watched}
     * @param liveThreads workers that exist now; a pool starts them as tasks come
     * @param queueRemaining free places in the queue; absent if the queue has no bound
     * @param findings ids of the raised findings
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
            int remaining = pool.limits().queueRemaining();
            return new Summary(
                    pool.name(),
                    measured ? "instrumented" : "watched",
                    pool.size(),
                    pool.limits().coreSize(),
                    pool.limits().maximumSize(),
                    pool.active(),
                    pool.queued(),
                    remaining == Integer.MAX_VALUE ? null : remaining,
                    pool.completed(),
                    findings.stream().map(Finding::id).toList());
        }
    }

    /**
     * One pool.
     *
     * @param blockedNow submitters that wait for room
     * @param oldestQueuedSeconds age of the queue's head
     * @param times the distributions, by name
     * @param kinds the kinds of tasks, most wall time first
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
                    Times.of(pool),
                    pool.kinds().stream().limit(MOST_KINDS).map(Kind::of).toList(),
                    Math.max(0, pool.kinds().size() - MOST_KINDS),
                    findings.stream().map(FindingView::of).toList());
        }
    }

    /**
     * A distribution.
     *
     * @param accuracy {@code exact} or {@code sampled}
     */
    record Times(
            long count,
            BigDecimal meanSeconds,
            BigDecimal p50Seconds,
            BigDecimal p99Seconds,
            BigDecimal maxSeconds,
            String accuracy) {

        static Map<String, Times> of(PoolSnapshot pool) {
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
                times.put(
                        name,
                        new Times(
                                values.count(),
                                JsonValues.seconds(values.mean()),
                                JsonValues.seconds(values.percentile(0.5)),
                                JsonValues.seconds(values.percentile(0.99)),
                                JsonValues.seconds(values.max()),
                                values.accuracy().name().toLowerCase(Locale.ROOT)));
            }
        }
    }

    /** A kind of tasks: how many ran, and the sums of their times. */
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

    /** The findings of one pool, worst first. */
    record Findings(List<FindingView> findings) {}

    /**
     * A finding.
     *
     * @param severity {@code info}, {@code warning} or {@code critical}
     * @param recommendedSize the workers that the pool should have; absent if the advice is not about the size
     * @param since when the finding was raised, in ISO 8601
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
                    finding.since().toString());
        }
    }

    /**
     * The threads of a pool.
     *
     * @param threads how many threads are in the groups
     * @param groups the largest first
     */
    record Threads(int threads, int omittedThreads, List<Group> groups) {}

    /**
     * Threads in the same state with the same stack.
     *
     * @param state the JVM's thread state
     * @param doing Lifeguard's thread state
     * @param names of up to eight threads
     * @param lock the class of the lock that the threads wait for; absent if there is none
     * @param lockOwner the thread that holds the lock; absent if there is none, or if it is unknown
     * @param stack the top frame first
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

    /** A pool was resized. The sizes are maximum sizes; the core size is the same as the new maximum size. */
    record Resized(String pool, int sizeBefore, int size) {}
}
