package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.tools.dumps.ThreadDump;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a dump without virtual threads tells of them. */
class CarriersTest {

    private static final String HELPER = DumpText.idle("VirtualThread-unparker");

    private static final String CARRIER = """
            "ForkJoinPool-1-worker-1" #22 [7] daemon prio=5 os_prio=0 cpu=1ms elapsed=1s tid=0x01 [0x02]
               Carrying virtual thread #21
            \tat jdk.internal.vm.Continuation.run(java.base@21.0.8/Unknown Source)
            \tat java.lang.VirtualThread.runContinuation(java.base@21.0.8/Unknown Source)

            """;

    private static final String SCHEDULER = """
            java.util.concurrent.ForkJoinPool@1[Running, parallelism = 4, size = 3, active = 2, running = 1, steals = 9, \
            tasks = 5, submissions = 2]
            java.util.concurrent.ScheduledThreadPoolExecutor@2[Running, pool size = 1, queued tasks = 77]
            """;

    private static Optional<String> words(ThreadDump dump, Optional<SchedulerState> scheduler) {
        return Carriers.of(dump, PoolFinder.find(dump), () -> scheduler).map(carriers -> carriers.words(7));
    }

    @Test
    void of_noVirtualThreadHasRun_asksNoScheduler() {
        ThreadDump dump = DumpText.dump(DumpText.idle("orders-1"));
        assertThat(Carriers.of(dump, PoolFinder.find(dump), () -> {
                    throw new AssertionError("the JVM would make its scheduler");
                }))
                .isEmpty();
    }

    @Test
    void of_oneCarrierHasAThread_saysThatNothingElseIsKnown() {
        assertThat(words(DumpText.dump(HELPER, CARRIER), Optional.empty()))
                .contains("of 1 carrier, 1 has a virtual thread; what virtual threads do was not looked at:"
                        + " 'lifeguard watch 7' does that");
    }

    @Test
    void of_allCarriersAreIdle_doesNotSayHowManyThereAre() {
        assertThat(words(DumpText.dump(HELPER), Optional.empty()).orElse("")).startsWith("0 carriers have a virtual");
    }

    @Test
    void of_schedulerTells_saysHowManyQueue() {
        assertThat(words(DumpText.dump(HELPER, CARRIER), SchedulerState.parse(SCHEDULER))
                        .orElse(""))
                .startsWith("of 4 carriers, 1 has a virtual thread, and 7 virtual threads wait for one;");
    }

    @Test
    void parse_otherText_isEmpty() {
        assertThat(SchedulerState.parse("java.lang.IllegalArgumentException: Unknown diagnostic command"))
                .isEmpty();
    }
}
