package io.lifeguard.pool.benchmarks.rivals;

import io.lifeguard.pool.benchmarks.rivals.Rival.Capacities;
import java.util.List;
import java.util.Optional;

/** The list of all rivals. A rival's classes are loaded when its first pool starts, and so only in its own fork. */
public final class Rivals {
    public static final String BASELINE = "tpe-lbq";
    public static final String OURS = "lifeguard";

    /** The same pool of another jar, which is on the fork's class path instead. */
    public static final String BEFORE = "before";

    public static final String MICROMETER = "micrometer";
    public static final String DROPWIZARD = "dropwizard";
    public static final String DYNAMIC_TP = "dynamictp";
    public static final String NAIVE = "naive";

    /** No pool at all: each worker runs its tasks in a loop. */
    public static final String CEILING = "loop";

    private static final List<Rival> ALL = List.of(
            new Rival(
                    BASELINE,
                    "ThreadPoolExecutor + LinkedBlockingQueue: the baseline, measures nothing",
                    PutWhenFull.DESCRIPTION,
                    Capacities.BOTH,
                    (workers, capacity) -> new RivalPool(StockPools.linked(workers, capacity))),
            new Rival(
                    "tpe-abq",
                    "ThreadPoolExecutor + ArrayBlockingQueue, measures nothing",
                    PutWhenFull.DESCRIPTION,
                    Capacities.BOUNDED,
                    (workers, capacity) -> new RivalPool(StockPools.array(workers, capacity))),
            new Rival(
                    "tpe-ltq",
                    "ThreadPoolExecutor + LinkedTransferQueue, measures nothing",
                    "never full",
                    Capacities.UNBOUNDED,
                    (workers, capacity) -> new RivalPool(StockPools.transfer(workers))),
            new Rival(
                    "tpe-work-queue",
                    "ThreadPoolExecutor + Lifeguard's WorkQueue, measures nothing: what the queue alone is worth",
                    PutWhenFull.DESCRIPTION,
                    Capacities.BOTH,
                    (workers, capacity) -> new RivalPool(StockPools.work(workers, capacity))),
            new Rival(
                    "tpe-jctools",
                    "ThreadPoolExecutor + JCTools' MpmcArrayQueue, unbounded MpmcUnboundedXaddArrayQueue,"
                            + " measures nothing",
                    JcToolsQueue.DESCRIPTION,
                    Capacities.BOTH,
                    (workers, capacity) -> new RivalPool(StockPools.jcTools(workers, capacity))),
            new Rival(
                    "jboss-eqe",
                    "jboss-threads EnhancedQueueExecutor",
                    PollWhenFull.DESCRIPTION,
                    Capacities.BOTH,
                    (workers, capacity) -> new RivalPool(PollWhenFull.start(workers, capacity))),
            new Rival(
                    MICROMETER,
                    "Micrometer ExecutorServiceMetrics (SimpleMeterRegistry) around the baseline",
                    PutWhenFull.DESCRIPTION,
                    Capacities.BOTH,
                    (workers, capacity) -> new RivalPool(WrappedPools.micrometer(workers, capacity))),
            new Rival(
                    DROPWIZARD,
                    "Dropwizard InstrumentedExecutorService around the baseline",
                    PutWhenFull.DESCRIPTION,
                    Capacities.BOTH,
                    (workers, capacity) -> new RivalPool(WrappedPools.dropwizard(workers, capacity))),
            new Rival(
                    DYNAMIC_TP,
                    "DynamicTp DtpExecutor + LinkedBlockingQueue, statistics on",
                    PutWhenFull.DESCRIPTION,
                    Capacities.BOTH,
                    (workers, capacity) -> new RivalPool(DynamicTpPools.start(workers, capacity))),
            new Rival(
                    NAIVE,
                    "a subclass that wraps every task and reads three clocks and two CPU clocks for it",
                    PutWhenFull.DESCRIPTION,
                    Capacities.BOTH,
                    (workers, capacity) -> {
                        NaiveThreadPoolExecutor pool = new NaiveThreadPoolExecutor(workers, capacity);
                        return new RivalPool(pool, pool::times);
                    }),
            new Rival(
                    OURS,
                    "Lifeguard, everything measured: InstrumentedThreadPoolExecutor.named(…), unbounded "
                            + "InstrumentedExecutors.newFixedThreadPool",
                    "BlockingWaitPolicy.forever(), its default",
                    Capacities.BOTH,
                    LifeguardPools::start),
            new Rival(
                    BEFORE,
                    "Lifeguard as it was before, from the jar that --before names",
                    "BlockingWaitPolicy.forever(), its default",
                    Capacities.BOTH,
                    LifeguardPools::start),
            new Rival(
                    CEILING,
                    "the machine's ceiling: as many threads, each running the task in a loop",
                    "no queue",
                    Capacities.BOTH,
                    (workers, capacity) -> {
                        throw new UnsupportedOperationException("the bare loop has no pool");
                    }));

    private Rivals() {}

    public static List<Rival> all() {
        return ALL;
    }

    public static Optional<Rival> named(String name) {
        return ALL.stream().filter(rival -> rival.name().equals(name)).findFirst();
    }
}
