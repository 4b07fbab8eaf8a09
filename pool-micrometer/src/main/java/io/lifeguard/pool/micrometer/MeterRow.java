package io.lifeguard.pool.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A meter in the table of all meters. Immutable. The page {@code docs/meters.md} also has the type, the tags and the
 * Prometheus name of each.
 *
 * @param name the meter's name
 * @param unit its base unit; null where it has none, and where the registry chooses a unit of time
 * @param description what it means
 */
record MeterRow(String name, @Nullable String unit, String description) {

    // ---- also registered by Micrometer's ExecutorServiceMetrics, with the same names, units and types ----

    static final MeterRow ACTIVE = threads("executor.active", "Threads that run a task");
    static final MeterRow POOL_SIZE = threads("executor.pool.size", "Threads alive");
    static final MeterRow POOL_CORE = threads("executor.pool.core", "Threads that stay");
    static final MeterRow POOL_MAX = threads("executor.pool.max", "Threads at most");
    static final MeterRow QUEUED = tasks("executor.queued", "Tasks in the queue");
    static final MeterRow QUEUE_REMAINING = tasks("executor.queue.remaining", "Free places in the queue");
    static final MeterRow COMPLETED = tasks("executor.completed", "Tasks run to their end");
    static final MeterRow EXECUTION = row("executor", "How long tasks ran");

    /** It is the tasks that are idle, not the threads. */
    static final MeterRow IDLE = row("executor.idle", "How long tasks waited in the queue");

    static final MeterRow SCHEDULED_ONCE = row("executor.scheduled.once", "Tasks scheduled to run once");
    static final MeterRow SCHEDULED_REPETITIVELY =
            row("executor.scheduled.repetitively", "Tasks scheduled to run repetitively");

    // ---- the same for fork-join pools; some of these have no unit ----

    static final MeterRow STEALS = row("executor.steals", "Tasks that workers took from each other");
    static final MeterRow FORK_JOIN_QUEUED = row(QUEUED.name, "Tasks in the queues");
    static final MeterRow FORK_JOIN_ACTIVE = row(ACTIVE.name, "Threads that run or steal tasks");
    static final MeterRow RUNNING = row("executor.running", "Threads that do not wait for others");
    static final MeterRow PARALLELISM = threads("executor.parallelism", "The parallelism");

    // ---- counts ----

    static final MeterRow SUBMITTED = tasks("lifeguard.submitted", "Tasks accepted");
    static final MeterRow FAILED = tasks("lifeguard.failed", "Tasks that ended with an exception");
    static final MeterRow REJECTED = tasks("lifeguard.rejected", "Tasks turned away");

    /** What the handler does with them is unknown. */
    static final MeterRow LEFT_TO_HANDLER = tasks("lifeguard.left.to.handler", "Tasks given to a user's own handler");

    static final MeterRow CALLER_RUNS = row("lifeguard.caller.runs", "Tasks run by the thread that submitted them");

    // ---- what the operating system counts for the workers ----

    static final MeterRow RUN_QUEUE_DELAY =
            seconds("lifeguard.run.queue.delay", "How long workers were ready to run and had no CPU");
    static final MeterRow SWITCHES = row("lifeguard.switches", "Context switches of workers");

    // ---- the state of the pool ----

    static final MeterRow UTILISATION =
            row("lifeguard.utilisation", "Recent share of the workers' time in which they had a task");

    /** The signal for an autoscaler. */
    static final MeterRow SATURATION =
            row("lifeguard.saturation", "How much of what the pool may do was asked of it recently, 0 to 1");

    static final MeterRow QUEUE_HEAD_AGE = row("lifeguard.queue.head.age", "Age of the oldest task in the queue");
    static final MeterRow QUEUE_FULL_IN =
            row("lifeguard.queue.full.in", "When the queue will be full, NaN unless it is growing");
    static final MeterRow BLOCKED_SUBMITTERS = row("lifeguard.blocked.submitters", "Submitters that wait for room now");
    static final MeterRow RECOMMENDED_SIZE =
            threads("lifeguard.recommended.size", "Workers that the pool should have, NaN unless a finding says so");
    static final MeterRow OVERHEAD = seconds("lifeguard.overhead", "CPU time that measuring has cost");
    static final MeterRow IDLE_CPU = seconds("lifeguard.idle.cpu", "CPU time that workers burnt without a task");

    // ---- findings ----

    static final MeterRow FINDINGS = row("lifeguard.findings", "Findings that are raised now");
    static final MeterRow FINDINGS_RAISED =
            row("lifeguard.findings.raised", "How often findings were raised, or became that severe");
    static final MeterRow FINDING_PAGE = row("lifeguard.finding.page", "The page that explains a finding");

    // ---- virtual threads, by the monitor's latest window; absent before Java 21 ----

    static final MeterRow VIRTUAL_CARRIERS =
            threads("lifeguard.virtual.carriers", "Platform threads on which virtual threads run");
    static final MeterRow VIRTUAL_MOUNTED = threads("lifeguard.virtual.mounted", "Virtual threads that have a carrier");
    static final MeterRow VIRTUAL_QUEUED =
            threads("lifeguard.virtual.queued", "Virtual threads that wait for a carrier");
    static final MeterRow VIRTUAL_LIVE = threads("lifeguard.virtual.live", "Virtual threads of instrumented executors");
    static final MeterRow VIRTUAL_START_DELAY =
            row("lifeguard.virtual.start.delay", "How late a virtual thread starts");
    static final MeterRow VIRTUAL_WAITING =
            threads("lifeguard.virtual.waiting", "Virtual threads that wait for the same thing");

    // ---- kinds of tasks, and the binder itself ----

    static final MeterRow KIND_SERVICE_TIME = row("lifeguard.kind.service.time", "Wall time by kind of task");
    static final MeterRow KIND_CPU_TIME = row("lifeguard.kind.cpu.time", "CPU time by kind of task");
    static final MeterRow KIND_QUEUE_WAIT = row("lifeguard.kind.queue.wait", "Queue wait by kind of task");
    static final MeterRow POOLS =
            row("lifeguard.pools", "Pools that have meters, and pools that have none because there are too many");

    // ---- OpenTelemetry's proposed conventions for JVM executors, on request ----

    /*
     * Semantic conventions, #3956 and #3970, state of September 2026. Micrometer has no up-down
     * counter, so those are gauges. They have no base unit: OpenTelemetry's {thread} and {task} add nothing to a name
     * in Prometheus, and Micrometer's units would.
     */

    static final MeterRow OTEL_THREADS = row("jvm.executor.thread.count", "Threads in that state");
    static final MeterRow OTEL_CORE = row("jvm.executor.thread.core", "Threads that stay");
    static final MeterRow OTEL_LIMIT = row("jvm.executor.thread.limit", "Threads at most");
    static final MeterRow OTEL_QUEUE_SIZE = row("jvm.executor.queue.size", "Tasks in the queue");
    static final MeterRow OTEL_CAPACITY = row("jvm.executor.queue.capacity", "Tasks that the queue can hold");
    static final MeterRow OTEL_COMPLETED = row("jvm.executor.task.completed", "Tasks completed");
    static final MeterRow OTEL_REJECTED = row("jvm.executor.task.rejected", "Tasks rejected");

    // ---- suffixes of a timer's name ----

    /** Its largest recent value, in seconds whatever the registry's unit is. */
    static final String SECONDS_MAX = ".seconds.max";

    /** Its recent percentiles, one gauge for each {@link #TAG_PHI}. */
    static final String PERCENTILE = ".percentile";

    /** Its cumulative histogram, one counter for each {@link #TAG_LE}. */
    static final String HISTOGRAM = ".histogram";

    // ---- tags ----

    static final String TAG_NAME = "name";
    static final String TAG_REASON = "reason";
    static final String TAG_KIND = "kind";
    static final String TAG_ID = "id";
    static final String TAG_SEVERITY = "severity";
    static final String TAG_PAGE = "page";
    static final String TAG_METERED = "metered";
    static final String TAG_PLACE = "place";
    static final String TAG_PHI = "phi";
    static final String TAG_LE = "le";
    static final String OTEL_TAG_NAME = "jvm.executor.name";
    static final String OTEL_TAG_TYPE = "jvm.executor.type";
    static final String OTEL_TAG_STATE = "jvm.executor.thread.state";

    /** The kind or id that stands for all that have no meters of their own, because there are too many. */
    static final String OTHER = "(other)";

    <T> Gauge.Builder<T> gauge(T source, ToDoubleFunction<T> number) {
        return Gauge.builder(name, source, number).baseUnit(unit).description(description);
    }

    <T> FunctionCounter.Builder<T> counter(T source, ToDoubleFunction<T> number) {
        return FunctionCounter.builder(name, source, number).baseUnit(unit).description(description);
    }

    private static MeterRow threads(String name, String description) {
        return new MeterRow(name, BaseUnits.THREADS, description);
    }

    private static MeterRow tasks(String name, String description) {
        return new MeterRow(name, BaseUnits.TASKS, description);
    }

    /** A counter of seconds, to which the registry adds no unit. */
    private static MeterRow seconds(String name, String description) {
        return new MeterRow(name, "seconds", description);
    }

    private static MeterRow row(String name, String description) {
        return new MeterRow(name, null, description);
    }
}
