package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Mounted;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Why;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why a carrier keeps its virtual thread, by that thread's top frame. */
class KeptThreadsTest {

    @ParameterizedTest
    @CsvSource({
        "com.example.Sums.add(Sums.java:7), COMPUTES",
        "java.lang.System.nanoTime(Native Method), COMPUTES",
        "java.lang.System.arraycopy(Native Method), COMPUTES",
        "com.example.Driver.call(Native Method), NATIVE",
        "sun.nio.ch.Net.poll(Native Method), NATIVE",
        "java.lang.Thread.sleep0(Native Method), NATIVE",
        "java.lang.ProcessImpl.forkAndExec(Native Method), NATIVE",
    })
    void of_topFrame_tellsWhy(String frame, Why why) {
        List<DumpedThread> carriers = DumpText.dump(
                        DumpText.thread("ForkJoinPool-1-worker-1", "RUNNABLE", "", frame, "com.example.Shop.answer"))
                .threads();

        assertThat(KeptThreads.of(carriers, null, false, false))
                .singleElement()
                .extracting(Mounted::why)
                .isEqualTo(why);
    }

    /** Since JDK 24 only a native frame below keeps it, as in a call from native code. */
    @Test
    void of_carriersStandInJavaCode_isAMonitorOnlyWhereAMonitorKeepsTheCarrier() {
        List<DumpedThread> carriers = DumpText.dump(
                        DumpText.thread("ForkJoinPool-1-worker-1", "RUNNABLE", "", "com.example.Shop.answer"))
                .threads();

        assertThat(KeptThreads.of(carriers, null, true, false))
                .extracting(Mounted::why)
                .containsExactly(Why.MONITOR);
        assertThat(KeptThreads.of(carriers, null, true, true))
                .extracting(Mounted::why)
                .containsExactly(Why.NATIVE);
    }

    /** The JDK tells no wait for a class. The other thread waits for that one's class, as it seems. */
    @Test
    void of_carriersStandInAnInitialiser_isThatClass() {
        List<DumpedThread> carriers = DumpText.dump(
                        DumpText.thread("ForkJoinPool-1-worker-1", "RUNNABLE", "", "com.example.Base.<clinit>"),
                        DumpText.thread("ForkJoinPool-1-worker-2", "RUNNABLE", "", "com.example.Shop.answer"))
                .threads();

        assertThat(KeptThreads.of(carriers, null, true, false))
                .allSatisfy(kept -> assertThat(kept.object()).isEqualTo("com.example.Base"))
                .extracting(Mounted::why)
                .containsOnly(Why.CLASS_INITIALISATION);
        assertThat(KeptThreads.of(carriers, null, false, false))
                .as("they compute")
                .extracting(Mounted::why)
                .containsOnly(Why.COMPUTES);
    }
}
