package io.lifeguard.pool.micrometer;

/**
 * The names of all meters and of their tags. Stateless. The page {@code docs/meters.md} lists the meaning, type, unit
 * and Prometheus name of each.
 */
public final class MeterNames {

    // ---- also registered by Micrometer's ExecutorServiceMetrics; the only tag is "name" ----

    /** Threads that run a task. */
    public static final String ACTIVE = "executor.active";

    /** Threads alive. */
    public static final String POOL_SIZE = "executor.pool.size";

    /** Threads that stay. */
    public static final String POOL_CORE = "executor.pool.core";

    /** Threads at most. */
    public static final String POOL_MAX = "executor.pool.max";

    /** Tasks in the queue. */
    public static final String QUEUED = "executor.queued";

    /** Free places in the queue. */
    public static final String QUEUE_REMAINING = "executor.queue.remaining";

    /** Tasks that were run. */
    public static final String COMPLETED = "executor.completed";

    /** How long tasks ran. */
    public static final String EXECUTION = "executor";

    /** How long tasks waited in the queue. It is the tasks that are idle, not the threads. */
    public static final String IDLE = "executor.idle";

    /** Tasks scheduled to run once. */
    public static final String SCHEDULED_ONCE = "executor.scheduled.once";

    /** Tasks scheduled to run repetitively. */
    public static final String SCHEDULED_REPETITIVELY = "executor.scheduled.repetitively";

    // ---- the same, for fork-join pools ----

    /** Steals of a fork-join pool. */
    public static final String STEALS = "executor.steals";

    /** Threads of a fork-join pool that do not wait for others. */
    public static final String RUNNING = "executor.running";

    /** Parallelism of a fork-join pool. */
    public static final String PARALLELISM = "executor.parallelism";

    // ---- Lifeguard's times ----

    /** From acceptance to the start of the run. */
    public static final String QUEUE_WAIT = "lifeguard.queue.wait";

    /** Wall time of the runs. */
    public static final String SERVICE_TIME = "lifeguard.service.time";

    /** CPU time of the runs. */
    public static final String CPU_TIME = "lifeguard.cpu.time";

    /** How long submitters waited for room. */
    public static final String BLOCKED_SUBMIT = "lifeguard.blocked.submit";

    /** Wall time of the tasks that their submitters ran. */
    public static final String CALLER_RUN_TIME = "lifeguard.caller.run.time";

    /** Suffix of a timer's name: the gauge of its largest recent value, in seconds whatever the registry's unit is. */
    public static final String SECONDS_MAX = ".seconds.max";

    /** Suffix of a timer's name: its recent percentiles, one gauge for each {@link #TAG_PHI}. */
    public static final String PERCENTILE = ".percentile";

    /** Suffix of a timer's name: its cumulative histogram, one counter for each {@link #TAG_LE}. */
    public static final String HISTOGRAM = ".histogram";

    // ---- Lifeguard's counts ----

    /** Tasks accepted. */
    public static final String SUBMITTED = "lifeguard.submitted";

    /** Tasks that ended with an exception. */
    public static final String FAILED = "lifeguard.failed";

    /** Tasks turned away, by {@link #TAG_REASON}. */
    public static final String REJECTED = "lifeguard.rejected";

    /** Tasks given to a user's own handler. What the handler does with them is unknown. */
    public static final String LEFT_TO_HANDLER = "lifeguard.left.to.handler";

    /** Tasks run by the thread that submitted them. */
    public static final String CALLER_RUNS = "lifeguard.caller.runs";

    // ---- what the operating system counts for the workers ----

    /** How long workers were ready to run and had no CPU. */
    public static final String RUN_QUEUE_DELAY = "lifeguard.run.queue.delay";

    /** Context switches of workers, by {@link #TAG_KIND}. */
    public static final String SWITCHES = "lifeguard.switches";

    // ---- the state of the pool ----

    /** Recent share of the workers' time in which they had a task. */
    public static final String UTILISATION = "lifeguard.utilisation";

    /** How much of what the pool may do was asked of it recently; the signal for an autoscaler. */
    public static final String SATURATION = "lifeguard.saturation";

    /** Age of the oldest task in the queue. */
    public static final String QUEUE_HEAD_AGE = "lifeguard.queue.head.age";

    /** Time until the queue is full, if it keeps growing at this rate. */
    public static final String QUEUE_FULL_IN = "lifeguard.queue.full.in";

    /** Submitters that wait for a place in the queue now. */
    public static final String BLOCKED_SUBMITTERS = "lifeguard.blocked.submitters";

    /** Number of workers that a finding recommends. */
    public static final String RECOMMENDED_SIZE = "lifeguard.recommended.size";

    /** CPU time that measuring has cost. */
    public static final String OVERHEAD = "lifeguard.overhead";

    /** CPU time that workers burnt while they had no task. */
    public static final String IDLE_CPU = "lifeguard.idle.cpu";

    // ---- findings ----

    /** Findings that are raised now, by {@link #TAG_ID} and {@link #TAG_SEVERITY}. */
    public static final String FINDINGS = "lifeguard.findings";

    /** How often findings were raised, or became that severe, by {@link #TAG_ID} and {@link #TAG_SEVERITY}. */
    public static final String FINDINGS_RAISED = "lifeguard.findings.raised";

    /** Always 1; its tag {@link #TAG_PAGE} is the page that explains a finding. */
    public static final String FINDING_PAGE = "lifeguard.finding.page";

    // ---- virtual threads, by the monitor's latest window; absent before Java 21 ----

    /** Platform threads on which virtual threads run, at most. */
    public static final String VIRTUAL_CARRIERS = "lifeguard.virtual.carriers";

    /** Virtual threads that have a carrier. */
    public static final String VIRTUAL_MOUNTED = "lifeguard.virtual.mounted";

    /** Virtual threads that could run and wait for a carrier. */
    public static final String VIRTUAL_QUEUED = "lifeguard.virtual.queued";

    /** How late a virtual thread starts. */
    public static final String VIRTUAL_START_DELAY = "lifeguard.virtual.start.delay";

    /** Virtual threads of instrumented executors. */
    public static final String VIRTUAL_LIVE = "lifeguard.virtual.live";

    /** Virtual threads of one executor that wait for the same thing, by {@link #TAG_KIND} and {@link #TAG_PLACE}. */
    public static final String VIRTUAL_WAITING = "lifeguard.virtual.waiting";

    // ---- kinds of tasks, and the binder itself ----

    /** Wall time of the tasks of one {@link #TAG_KIND}. */
    public static final String KIND_SERVICE_TIME = "lifeguard.kind.service.time";

    /** CPU time of the tasks of one {@link #TAG_KIND}. */
    public static final String KIND_CPU_TIME = "lifeguard.kind.cpu.time";

    /** Queue wait of the tasks of one {@link #TAG_KIND}. */
    public static final String KIND_QUEUE_WAIT = "lifeguard.kind.queue.wait";

    /** Pools that have meters, and pools that have none because there are too many, by {@link #TAG_METERED}. */
    public static final String POOLS = "lifeguard.pools";

    // ---- OpenTelemetry's proposed names, on request ----

    /** Threads by {@link #OTEL_TAG_STATE}. */
    public static final String OTEL_THREADS = "jvm.executor.thread.count";

    /** Threads that stay. */
    public static final String OTEL_CORE = "jvm.executor.thread.core";

    /** Threads at most; absent without a bound. */
    public static final String OTEL_LIMIT = "jvm.executor.thread.limit";

    /** Tasks in the queue. */
    public static final String OTEL_QUEUE_SIZE = "jvm.executor.queue.size";

    /** Tasks that the queue can hold; absent without a bound. */
    public static final String OTEL_CAPACITY = "jvm.executor.queue.capacity";

    /** Tasks that were run. */
    public static final String OTEL_COMPLETED = "jvm.executor.task.completed";

    /** Tasks turned away. */
    public static final String OTEL_REJECTED = "jvm.executor.task.rejected";

    /** Name of the pool, in the meters with OpenTelemetry's names. */
    public static final String OTEL_TAG_NAME = "jvm.executor.name";

    /** Class of the pool, in the meters with OpenTelemetry's names. */
    public static final String OTEL_TAG_TYPE = "jvm.executor.type";

    /** State of the threads: {@code active} or {@code idle}. */
    public static final String OTEL_TAG_STATE = "jvm.executor.thread.state";

    // ---- tags ----

    /**
     * Name of the pool. All meters have it except {@link #FINDING_PAGE}, {@link #POOLS}, those with OpenTelemetry's
     * names, and those of virtual threads other than {@link #VIRTUAL_WAITING}.
     */
    public static final String TAG_NAME = "name";

    /** Why a task was rejected: a {@link io.lifeguard.pool.RejectionReason} like {@code timed-out}. */
    public static final String TAG_REASON = "reason";

    /**
     * For context switches {@code voluntary} or {@code involuntary}; for tasks their kind; for waiting threads
     * {@code connection}, {@code permit}, {@code lock} or {@code monitor}.
     */
    public static final String TAG_KIND = "kind";

    /** A finding's id. */
    public static final String TAG_ID = "id";

    /** A finding's severity: {@code info}, {@code warning} or {@code critical}. */
    public static final String TAG_SEVERITY = "severity";

    /** Address of the page that explains a finding. */
    public static final String TAG_PAGE = "page";

    /** Whether the pools have meters: {@code true} or {@code false}. */
    public static final String TAG_METERED = "metered";

    /** Where threads wait: the first frame that is the user's own. */
    public static final String TAG_PLACE = "place";

    /** Which percentile, for instance {@code 0.99}. */
    public static final String TAG_PHI = "phi";

    /** Upper bound, in seconds, of what a histogram's counter counts, or {@code +Inf}. */
    public static final String TAG_LE = "le";

    /** The kind or id that stands for all that have no meters of their own, because there are too many. */
    public static final String OTHER = "(other)";

    private MeterNames() {}
}
