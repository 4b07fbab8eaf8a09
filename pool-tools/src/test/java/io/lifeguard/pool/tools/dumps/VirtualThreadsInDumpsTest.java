package io.lifeguard.pool.tools.dumps;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Carriers are read with what they carry, and virtual threads that never ran are not lost. */
class VirtualThreadsInDumpsTest {

    private static final String HEADER = "Full thread dump OpenJDK 64-Bit Server VM (25.0.3+9-LTS mixed mode):\n\n";

    private static final String CARRIER = """
            "ForkJoinPool-1-worker-2" #25 [14866] daemon prio=5 os_prio=0 cpu=0.12ms elapsed=3.61s tid=0x00007fc1  [0x00007f]
               Carrying virtual thread #24
            \tat jdk.internal.vm.Continuation.run(java.base@25.0.3/Continuation.java:251)
            \tat java.util.concurrent.ForkJoinWorkerThread.run(java.base@25.0.3/ForkJoinWorkerThread.java:187)
            """;

    private static DumpedThread carrier(String mounted) {
        ThreadDumps dumps = ThreadDumps.parse("x", HEADER + CARRIER + mounted + "\nJNI global refs: 9, weak refs: 0\n");
        assertThat(dumps.problems()).isEmpty();
        List<DumpedThread> threads = dumps.dumps().get(0).threads();
        assertThat(threads).hasSize(1);
        assertThat(threads.get(0).carries()).hasValue(24);
        assertThat(threads.get(0).nativeId()).hasValue(14866);
        return threads.get(0);
    }

    @Test
    void parse_mountedThreadComputes_isOnTopOfItsCarrier() {
        DumpedThread thread = carrier("""
                   Mounted virtual thread #24
                \tat com.example.Hashes.hash(Hashes.java:31)
                \tat java.lang.VirtualThread.run(java.base@25.0.3/VirtualThread.java:460)
                """);
        assertThat(thread.place()).isEqualTo("com.example.Hashes.hash(Hashes.java:31)");
        assertThat(thread.doing()).isEqualTo(Doing.COMPUTING);
        assertThat(thread.stack()).hasSize(4);
        assertThat(thread.stack().get(0).getMethodName()).isEqualTo("hash");
    }

    @Test
    void parse_mountedThreadWaitsForAClass_waitsForALock() {
        DumpedThread thread = carrier("""
                   Mounted virtual thread #24
                \tat com.example.Orders.load(Orders.java:4)
                \t- waiting on the Class initialization monitor for com.example.Rates
                \tat java.lang.VirtualThread.run(java.base@25.0.3/VirtualThread.java:460)
                """);
        assertThat(thread.doing()).isEqualTo(Doing.WAITING_FOR_LOCK);
        assertThat(thread.waitsFor().orElseThrow().type()).isEqualTo("the initialisation of class com.example.Rates");
    }

    /** JDK 21 to 23 do not print what is carried. */
    @Test
    void parse_whatIsCarriedIsNotPrinted_isUnknown() {
        assertThat(carrier("").doing()).isEqualTo(Doing.UNKNOWN);
    }

    @Test
    void parse_virtualThreadsWithoutAStack_haveNotRunYet() {
        String file = """
                12345
                2026-11-25T14:44:03Z
                21.0.8+9-LTS

                #1 "main"
                      java.base/java.lang.Thread.sleep(Thread.java:509)

                #22 "" virtual

                #23 "" virtual

                #24 "Signal Dispatcher"
                """;
        assertThat(unstarted(ThreadDumps.parse("x", file))).isEqualTo(2);
    }

    @Test
    void parse_virtualThreadsWithoutAStackInJson_haveNotRunYet() {
        String json = """
                {"threadDump": {"threadContainers": [{"container": "<root>", "threads": [
                  {"tid": "1", "name": "main", "stack": ["java.base/java.lang.Thread.sleep(Thread.java:509)"]},
                  {"tid": "9", "name": "Signal Dispatcher", "stack": []},
                  {"tid": "22", "name": "", "stack": []},
                  {"tid": "23", "virtual": true, "name": "orders-1", "stack": []}
                ]}]}}
                """;
        assertThat(unstarted(ThreadDumps.parse("x", json))).isEqualTo(2);
    }

    /** JDK 21 does not mark virtual threads. Executors of servers name them. */
    @Test
    void parse_namedThreadsWithoutAStackInJsonOfJdk21_haveNotRunYet() {
        String json = """
                {"threadDump": {"threadContainers": [{"container": "<root>", "threads": [
                  {"tid": "9", "name": "Signal Dispatcher", "stack": []},
                  {"tid": "10", "name": "C1 CompilerThread0", "stack": []},
                  {"tid": "30", "name": "tomcat-1", "stack": ["com.example.Orders.load(Orders.java:4)",
                    "java.base/java.lang.VirtualThread.run(VirtualThread.java:309)"]},
                  {"tid": "31", "name": "tomcat-2", "stack": []},
                  {"tid": "32", "name": "tomcat-30", "stack": []}
                ]}]}}
                """;
        assertThat(unstarted(ThreadDumps.parse("x", json))).isEqualTo(2);
    }

    /** As JDK 21 writes it for two threads that compute, on two carriers, and five that were started after them. */
    private static String starving(String secondCarrier) {
        StringBuilder json = new StringBuilder("{\"threadDump\": {\"threadContainers\": [{\"threads\": [\n");
        for (int i = 1; i <= 2; i++) {
            json.append("{\"tid\": \"%d\", \"name\": \"spin-%d\", \"stack\": [\"com.example.Spin.spin(Spin.java:9)\","
                    .formatted(30 + i, i));
            json.append("\"java.base/java.lang.VirtualThread.run(VirtualThread.java:309)\"]},\n");
            json.append(
                    "{\"tid\": \"%d\", \"name\": \"ForkJoinPool-1-worker-%d\", \"stack\": [\"%s\",\"java.base/java.util.concurrent.ForkJoinWorkerThread.run(F.java:1)\"]},\n"
                            .formatted(
                                    20 + i,
                                    i,
                                    i == 1
                                            ? "java.base/java.lang.VirtualThread.runContinuation(V.java:1)"
                                            : secondCarrier));
        }
        for (int i = 0; i < 5; i++) {
            json.append("{\"tid\": \"%d\", \"name\": \"late-%d\", \"stack\": []},\n".formatted(40 + i, i));
        }
        return json + "{\"tid\": \"1\", \"name\": \"main\", \"stack\": [\"a.B.c(B.java:1)\"]}]}]}}";
    }

    @Test
    void starvations_allCarriersAreTaken_isOneFinding() {
        String taken = "java.base/java.lang.VirtualThread.runContinuation(V.java:1)";

        assertThat(ThreadDumps.parse("x", starving(taken)).starvations())
                .containsExactly(
                        "all 2 carriers are taken, most at com.example.Spin.spin(Spin.java:9), so 5 virtual threads"
                                + " have not run yet (x:1)");
        assertThat(ThreadDumps.parse("x", starving(taken)).toText(9)).contains("all 2 carriers are taken");
    }

    /** The threads that have not run will in a moment. */
    @Test
    void starvations_oneCarrierIsIdle_saysNothing() {
        String idle = "java.base/java.util.concurrent.ForkJoinPool.awaitWork(ForkJoinPool.java:1893)";

        assertThat(ThreadDumps.parse("x", starving(idle)).starvations()).isEmpty();
    }

    private static long unstarted(ThreadDumps dumps) {
        assertThat(dumps.problems()).isEmpty();
        List<DumpedThread> threads = dumps.dumps().get(0).threads();
        assertThat(threads).hasSize(3);
        return threads.stream()
                .filter(thread ->
                        thread.place().equals(DumpedThread.NOT_RUN) && thread.doing() == Doing.WAITING_FOR_CPU)
                .count();
    }

    /** Any program may call a thread so. */
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void parse_namesOfManyDigits_takeNoTimePerPairOfDigits() {
        String name = "1".repeat(300_000) + "x";
        String thread =
                "{\"tid\":\"7\",\"name\":\"" + name + "\",\"stack\":[\"java.lang.VirtualThread.run(B.java:1)\"]}";

        ThreadDumps dumps = ThreadDumps.parse(
                "x", "{\"threadDump\":{\"threadContainers\":[{\"threads\":[" + thread + "," + thread + "]}]}}");

        assertThat(dumps.dumps().get(0).threads())
                .extracting(DumpedThread::name)
                .containsExactly(name, name);
    }
}
