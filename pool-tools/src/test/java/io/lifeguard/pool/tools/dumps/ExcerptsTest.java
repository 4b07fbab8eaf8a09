package io.lifeguard.pool.tools.dumps;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of dumps, and forms whose locks cannot be read: neither may look like a dump without a deadlock. */
class ExcerptsTest {

    private static final String EXCERPT = "it seems to be an excerpt: the threads that every JVM has, such as"
            + " \"Reference Handler\", are not in it";

    private static final String RUNS = """
            "main" Id=1 RUNNABLE
                at com.example.A.run(A.java:1)

            """;

    private static final String HANDLER = """
            "Reference Handler" Id=2 WAITING on java.lang.ref.Reference$Lock@1e2
                at java.lang.Object.wait(Native Method)
                at java.lang.ref.Reference$ReferenceHandler.run(Reference.java:1)

            """;

    @ParameterizedTest
    @ValueSource(
            strings = {
                RUNS,
                "Full thread dump OpenJDK 64-Bit Server VM (17.0.12+7 mixed mode):\n\n\"a-1\" - Thread t@21\n"
                        + "   java.lang.Thread.State: RUNNABLE\n\tat com.example.A.run(A.java:1)\n",
                "Thread 11: (state = BLOCKED)\n - com.example.A.run() @bci=1, line=7 (Interpreted frame)\n",
                "#21 \"a-1\" RUNNABLE 2026-03-02T10:00:00Z\n    com.example.A.run(A.java:1)\n"
            })
    void doubts_nothingSaysThatItIsWhole_isAnExcerpt(String text) {
        assertThat(ThreadDumps.parse("x", text).doubts()).containsExactly(EXCERPT);
    }

    @Test
    void doubts_hasAThreadOfEveryJvm_isWhole() {
        assertThat(ThreadDumps.parse("x", RUNS + HANDLER).doubts()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " owned by \"b-1\" \nId=9",
                " owned by \"b-1\"\nId=9",
                " owned by\n\"b-1\" Id=9",
                " owned by \"b-1\" Id=9",
                " owned by \"b-1\""
            })
    void doubts_holderIsNotInTheText_saysSo(String owner) {
        String blocked = "\"a-1\" Id=3 BLOCKED on com.example.A@1e1" + owner
                + "\n    at com.example.A.run(A.java:2)\n    -  blocked on com.example.A@1e1\n\n";

        assertThat(ThreadDumps.parse("x", blocked + RUNS + HANDLER).doubts())
                .containsExactly("what holds up 1 thread is a thread that has ended, or is not in the dump");
    }

    @Test
    void deadlocks_holdersAreWrappedOntoTheNextLine_areFound() {
        String circle = """
                "a-1" Id=3 BLOCKED on com.example.A@1e1 owned by "a-2"
                Id=4
                    at com.example.A.run(A.java:2)

                "a-2" Id=4 BLOCKED on com.example.A@1e2 owned by "a-1"
                Id=3
                    at com.example.A.run(A.java:2)

                """;

        assertThat(ThreadDumps.parse("x", circle).deadlocks()).hasSize(1);
    }

    /** What others write of threads. Their locks are not read, so it is no dump in a form that is known. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                // a server's watchdog: the name of a holder is not the header of a thread
                """
                Current Thread: a-2
                    PID: 40 | Alive: true | State: BLOCKED
                    BLOCKED on com.example.A@1e1 owned by "a-1" Id=39
                    at com.example.A.run(A.java:2)
                    -  blocked on com.example.A@1e1
                """,
                // the end of a trace of Android before 5
                """
                  at com.example.A.stop(A.java:3)
                "a-1" prio=5 tid=17 TIMED_WAIT
                  | group="main" sCount=1 dsCount=0 obj=0x41 self=0x66
                  | sysTid=3754 nice=10 sched=0/0 cgrp=apps handle=17
                  at java.lang.Object.wait(Native Method)
                  - waiting on <0x1e1> (a com.example.A) held by tid=17 (a-1)
                """,
                // the same since 5
                """
                "main" prio=5 tid=1 Blocked
                  | group="main" sCount=1 dsCount=0 flags=1 obj=0x71 self=0x7b
                  at com.example.A.run(A.java:2)
                  - waiting to lock <0x1e1> (a com.example.A) held by thread 2
                "a-1" daemon prio=5 tid=2 Blocked
                  | group="main" sCount=1 dsCount=0 flags=1 obj=0x72 self=0x7c
                  at com.example.A.run(A.java:3)
                """,
                // JRockit
                """
                ===== FULL THREAD DUMP ===============
                "a-1" id=1 idx=0x4 tid=4184 prio=5 alive, blocked, native_blocked
                    -- Blocked trying to get lock: com/example/A@0x1e1[thin lock]
                    at com/example/A.run(A.java:2)
                    ^-- Holding lock: com/example/A@0x1e2[thin lock]
                """,
                // Arthas, the table of "thread"
                """
                ID   NAME              GROUP    PRIORITY  STATE    %CPU  DELTA_TIME  TIME   INTERRUPTED  DAEMON
                21   a-1               main     5         BLOCKED  0.0   0.000       0:0.1  false        true
                22   a-2               main     5         BLOCKED  0.0   0.000       0:0.1  false        true
                """,
                // JConsole
                """
                Name: a-1
                State: BLOCKED on com.example.A@1e1 owned by: a-2
                Total blocked: 1  Total waited: 0

                Stack trace:
                com.example.A.run(A.java:2)
                   - locked com.example.A@1e2
                """,
                // Eclipse, "Copy Stack"
                """
                A [Java Application]
                \tcom.example.A at localhost:50123
                \t\tThread [a-1] (Suspended)
                \t\t\twaited by: Thread [a-2] (Running)
                \t\t\tA.run(int) line: 2
                \t\t\tThread.run() line: 840
                """,
                // Hadoop, /stacks
                """
                Process Thread Dump:
                2 active threads
                Thread 21 (a-1):
                  State: BLOCKED
                  Blocked count: 1
                  Waited count: 0
                  Blocked on com.example.A@1e1
                  Blocked by 22 (a-2)
                  Stack:
                    com.example.A.run(A.java:2)
                """
            })
    void parse_formThatIsNotRead_holdsNoDump(String text) {
        assertThat(ThreadDumps.parse("x", text).dumps()).isEmpty();
    }

    /** One thread of Arthas has the form of a {@code ThreadInfo}. */
    @Test
    void doubts_oneThreadOfArthas_isAnExcerpt() {
        String text = """
                "a-1" Id=21 cpuUsage=0.0% deltaTime=0ms time=3ms BLOCKED on com.example.A@1e1 owned by "a-2" Id=22
                    at com.example.A.run(A.java:2)
                    -  blocked on com.example.A@1e1
                    - locked com.example.A@1e2 <---- but blocks 1 other threads!

                """;

        assertThat(ThreadDumps.parse("x", text).doubts()).contains(EXCERPT);
    }
}
