package io.lifeguard.pool.tools.watch;

import static io.lifeguard.pool.tools.watch.DumpText.busy;
import static io.lifeguard.pool.tools.watch.DumpText.calls;
import static io.lifeguard.pool.tools.watch.DumpText.dump;
import static io.lifeguard.pool.tools.watch.DumpText.idle;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.watch.JvmList.Suspicion;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What three dumps of a JVM make suspicious. */
class JvmListTest {

    private static final ThreadDump THREE_COMPUTE =
            dump(busy("sums-1"), busy("sums-2"), busy("sums-3"), idle("sums-4"));

    @Test
    void suspicion_moreThreadsComputeThanThereAreCpus_namesTheirPlace() {
        assertThat(JvmList.suspicion(List.of(THREE_COMPUTE, THREE_COMPUTE, THREE_COMPUTE), 2))
                .map(Suspicion::words)
                .contains("3 threads of pool 'sums' computing at com.example.Mail.send(Unknown Source)");
    }

    @Test
    void suspicion_eachComputingThreadMayHaveACpu_isEmpty() {
        assertThat(JvmList.suspicion(List.of(THREE_COMPUTE, THREE_COMPUTE, THREE_COMPUTE), 3))
                .isEmpty();
    }

    /** They may have had any number of CPUs. */
    @Test
    void suspicion_dumpsOfAFile_saysNothingOfThreadsThatCompute() {
        assertThat(JvmList.suspicion(List.of(THREE_COMPUTE, THREE_COMPUTE, THREE_COMPUTE)))
                .isEmpty();
    }

    @Test
    void suspicion_oneDumpShowsFewer_isEmpty() {
        ThreadDump quiet = dump(busy("sums-1"), idle("sums-2"), idle("sums-3"), idle("sums-4"));
        assertThat(JvmList.suspicion(List.of(THREE_COMPUTE, quiet, THREE_COMPUTE), 2))
                .isEmpty();
    }

    @Test
    void suspicion_halfOfAPoolWaitsAtOnePlace_isThatPlace() {
        ThreadDump dump = dump(calls("orders-1"), calls("orders-2"), busy("orders-3"), busy("orders-4"));
        assertThat(JvmList.suspicion(List.of(dump, dump, dump), 2))
                .map(Suspicion::words)
                .contains("2 threads of pool 'orders' waiting outside at com.example.Orders.load(Unknown Source)");
    }

    /** Requests that wait for an event, for instance, while the other workers take new ones. */
    @Test
    void suspicion_halfOfAPoolWaitsOutsideAndOthersAreIdle_isEmpty() {
        ThreadDump dump = dump(calls("orders-1"), calls("orders-2"), idle("orders-3"), idle("orders-4"));
        assertThat(JvmList.suspicion(List.of(dump, dump, dump), 2)).isEmpty();
    }

    @Test
    void suspicion_executorsOfOneThreadEachWaitAtOnePlace_isThatPlace() {
        ThreadDump dump = dump(
                calls("pool-1-thread-1"), calls("pool-2-thread-1"), calls("pool-3-thread-1"), calls("pool-4-thread-1"));
        assertThat(JvmList.suspicion(List.of(dump, dump, dump), 2))
                .map(Suspicion::words)
                .contains("4 threads of several pools of one thread each waiting outside at"
                        + " com.example.Orders.load(Unknown Source)");
        ThreadDump three = dump(calls("pool-1-thread-1"), calls("pool-2-thread-1"), calls("pool-3-thread-1"));
        assertThat(JvmList.suspicion(List.of(dump, three, dump), 2)).isEmpty();
    }
}
