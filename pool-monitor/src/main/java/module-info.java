/** The lifeguard: looks at all pools of this JVM, and says what is wrong with them, why, and what to do. */
@SuppressWarnings("module") // those that hidden packages are exported to are built after this module
module io.lifeguard.pool.monitor {
    requires java.management;
    requires static jdk.jfr;
    requires org.slf4j;
    requires static transitive org.jspecify;
    requires transitive io.lifeguard.pool;

    exports io.lifeguard.pool.diagnosis;
    exports io.lifeguard.pool.diagnosis.external;
    exports io.lifeguard.pool.diagnosis.window;
    exports io.lifeguard.pool.diagnosis.bottleneck to
            io.lifeguard.pool.tools;
    exports io.lifeguard.pool.diagnosis.evidence to
            io.lifeguard.pool.tools;
    exports io.lifeguard.pool.diagnosis.evidence.carrier to
            io.lifeguard.pool.tools;
    exports io.lifeguard.pool.diagnosis.evidence.cpu to
            io.lifeguard.pool.micrometer,
            io.lifeguard.pool.tools;
    exports io.lifeguard.pool.diagnosis.evidence.loop to
            io.lifeguard.pool.tools;
    exports io.lifeguard.pool.diagnosis.evidence.stack to
            io.lifeguard.pool.spring,
            io.lifeguard.pool.tools;
    exports io.lifeguard.pool.diagnosis.outside to
            io.lifeguard.pool.micronaut,
            io.lifeguard.pool.spring,
            io.lifeguard.pool.tools;
    exports io.lifeguard.pool.diagnosis.seen to
            io.lifeguard.pool.micronaut,
            io.lifeguard.pool.quarkus,
            io.lifeguard.pool.spring,
            io.lifeguard.pool.tools;
    exports io.lifeguard.pool.recording to
            io.lifeguard.pool.report,
            io.lifeguard.pool.tools;
    exports io.lifeguard.pool.schema to
            io.lifeguard.pool.micronaut,
            io.lifeguard.pool.report,
            io.lifeguard.pool.spring,
            io.lifeguard.pool.tools;

    uses io.lifeguard.pool.diagnosis.Rule;
    uses io.lifeguard.pool.recording.RoundListener;

    provides io.lifeguard.pool.PoolObserver with
            io.lifeguard.pool.diagnosis.start.MonitorStarter;
    provides io.lifeguard.pool.recording.RoundListener with
            io.lifeguard.pool.jmx.JmxPublisher;
    provides io.lifeguard.pool.diagnosis.Rule with
            io.lifeguard.pool.diagnosis.rules.PoolFull,
            io.lifeguard.pool.diagnosis.rules.CpuSaturated,
            io.lifeguard.pool.diagnosis.rules.LockContention,
            io.lifeguard.pool.diagnosis.rules.DownstreamSaturated,
            io.lifeguard.pool.diagnosis.rules.BlockedOnIo,
            io.lifeguard.pool.diagnosis.rules.CarriersStarved,
            io.lifeguard.pool.diagnosis.rules.CommonPoolBlocked,
            io.lifeguard.pool.diagnosis.rules.CpuThrottled,
            io.lifeguard.pool.diagnosis.rules.Deadlock,
            io.lifeguard.pool.diagnosis.rules.DispatcherRunsTasks,
            io.lifeguard.pool.diagnosis.rules.EventLoopBlocked,
            io.lifeguard.pool.diagnosis.rules.DispatcherSeenRunningTasks,
            io.lifeguard.pool.diagnosis.rules.EventLoopBlockedByPool,
            io.lifeguard.pool.diagnosis.rules.EventLoopFull,
            io.lifeguard.pool.diagnosis.rules.FailuresUnseen,
            io.lifeguard.pool.diagnosis.rules.HighSystemCpu,
            io.lifeguard.pool.diagnosis.rules.MaxSizeUnreachable,
            io.lifeguard.pool.diagnosis.rules.NoWorkerAlive,
            io.lifeguard.pool.diagnosis.rules.Oversized,
            io.lifeguard.pool.diagnosis.rules.PoolLeaked,
            io.lifeguard.pool.diagnosis.rules.QueueGrowing,
            io.lifeguard.pool.diagnosis.rules.ScheduleLate,
            io.lifeguard.pool.diagnosis.rules.StandsStill,
            io.lifeguard.pool.diagnosis.rules.StarvedByOwnTasks,
            io.lifeguard.pool.diagnosis.rules.StuckTask,
            io.lifeguard.pool.diagnosis.rules.TasksDiscarded,
            io.lifeguard.pool.diagnosis.rules.VirtualThreadsInLine,
            io.lifeguard.pool.diagnosis.rules.WaitsInOrder,
            io.lifeguard.pool.diagnosis.rules.WaitsOnAnotherPool;
}
