package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDumps;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Frames that no worker of a pool has left. */
class KeptFramesTest {

    private static final String COMPUTES = "RUNNABLE";
    private static final String LOOP = "com.example.Nodes.find(Nodes.java:%d)";

    private final KeptFrames frames = new KeptFrames();

    private static List<DumpedThread> workers(String state, String... places) {
        StringBuilder dump = new StringBuilder("2026-01-01 00:00:00\nFull thread dump OpenJDK 64-Bit Server VM:\n\n");
        for (int i = 0; i < places.length; i++) {
            dump.append("\"find-" + i + "\" #" + (20 + i) + " prio=5 tid=0x1 nid=" + (100 + i) + " runnable\n")
                    .append("   java.lang.Thread.State: " + state + "\n")
                    .append("\tat " + places[i] + "\n")
                    .append("\tat com.example.Job.run(Job.java:6)\n")
                    .append("\tat java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1136)\n\n");
        }
        return ThreadDumps.parse("x", dump.toString()).dumps().get(0).threads();
    }

    private void see(double seconds, String state, String... places) {
        frames.see(workers(state, places), (long) (seconds * 1e9));
    }

    @Test
    void words_bothStayInOneMethod_saysWhereAndForHowLong() {
        see(0, COMPUTES, LOOP.formatted(6), LOOP.formatted(6));
        see(2, COMPUTES, LOOP.formatted(6), LOOP.formatted(7));
        assertThat(frames.words("nodes", 2_000_000_000L)).as("too short").isEmpty();
        see(4, COMPUTES, LOOP.formatted(7), LOOP.formatted(6));

        assertThat(frames.words("nodes", 4_000_000_000L))
                .hasValueSatisfying(text -> assertThat(text)
                        .startsWith("all 2 threads of pool 'nodes' compute at com.example.Nodes.find(Nodes.java:")
                        .endsWith("none has left it for 4 s: an endless loop, or one task after another"));
    }

    @Test
    void words_onlyThreadStays_isSaidToo() {
        see(0, COMPUTES, LOOP.formatted(6));
        see(4, COMPUTES, LOOP.formatted(7));

        assertThat(frames.words("nodes", 4_000_000_000L))
                .hasValueSatisfying(text -> assertThat(text).startsWith("the only thread of pool 'nodes' computes at"));
    }

    /** The method below is the one that no worker has left. */
    @Test
    void words_loopCallsOthers_namesTheLoop() {
        see(0, COMPUTES, LOOP.formatted(6), "com.example.Nodes.next(Nodes.java:9)");
        see(4, COMPUTES, "com.example.Nodes.next(Nodes.java:9)", LOOP.formatted(6));

        assertThat(frames.words("nodes", 4_000_000_000L))
                .hasValueSatisfying(text -> assertThat(text).contains("compute at com.example.Job.run(Job.java:6)"));
    }

    @Test
    void words_oneWasIdle_isEmpty() {
        see(0, COMPUTES, LOOP.formatted(6), LOOP.formatted(6));
        see(2, "WAITING (parking)", LOOP.formatted(6), LOOP.formatted(6));
        see(4, COMPUTES, LOOP.formatted(6), LOOP.formatted(6));

        assertThat(frames.words("nodes", 4_000_000_000L)).isEmpty();
    }

    @Test
    void words_oneRunsAnotherTask_isEmpty() {
        see(0, COMPUTES, LOOP.formatted(6), LOOP.formatted(6));
        frames.see(
                workers(COMPUTES, LOOP.formatted(6), LOOP.formatted(6)).stream()
                        .map(worker -> worker.name().equals("find-1") ? ofAnotherTask() : worker)
                        .toList(),
                3_000_000_000L);

        assertThat(frames.words("nodes", 3_000_000_000L)).isEmpty();
    }

    private static DumpedThread ofAnotherTask() {
        return ThreadDumps.parse("x", """
                2026-01-01 00:00:00
                Full thread dump OpenJDK 64-Bit Server VM:

                "find-1" #21 prio=5 tid=0x1 nid=101 runnable
                   java.lang.Thread.State: RUNNABLE
                	at com.example.Other.run(Other.java:6)
                	at java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1136)

                """).dumps().get(0).threads().get(0);
    }
}
