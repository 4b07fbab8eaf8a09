package io.lifeguard.pool.diagnosis;

import java.util.List;

/** The rules that come with the library, one line each. Stateless. */
final class StandardRules {

    private static final List<Rule> ALL = List.of(
            new DispatcherRunsTasks(),
            new LockContention(),
            new StarvedByOwnTasks(),
            new StuckTask(),
            new EventLoopBlocked(),
            new QueueGrowing(),
            new MaxSizeUnreachable(),
            new FailuresUnseen(),
            new PoolLeaked(),
            new CpuSaturated(),
            new BlockedOnIo(),
            new DownstreamSaturated(),
            new Oversized(),
            new HighSystemCpu(),
            new CpuThrottled());

    private StandardRules() {}

    static List<Rule> all() {
        return ALL;
    }
}
