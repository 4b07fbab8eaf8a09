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
                "\"a-1\" prio=5 tid=17 TIMED_WAIT\n  | sysTid=3754 nice=10\n  at java.lang.Object.wait(Native Method)\n"
                        + "  - waiting on <0x1e1> (a java.lang.VMThread) held by tid=17 (a-1)\n",
                "Process Thread Dump: jsp requested\n2 active threads\nThread 21 (a-1):\n  State: RUNNABLE\n  Stack:\n"
                        + "    com.example.A.run(A.java:1)\n",
                "Name: a-1\nState: RUNNABLE\nTotal blocked: 1  Total waited: 0\n\nStack trace:\ncom.example.A.run(A.java:1)\n",
                "[{\"threadName\":\"a-1\",\"threadState\":\"RUNNABLE\",\"stackTrace\":[\"com.example.A.run(A.java:1)\"]}]",
                "#21 \"a-1\" RUNNABLE 2026-03-02T10:00:00Z\n    com.example.A.run(A.java:1)\n"
            })
    void doubts_nothingSaysThatItIsWhole_isAnExcerpt(String text) {
        assertThat(ThreadDumps.parse("x", text).doubts()).containsExactly(EXCERPT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"    at com.example.B.run(B.java:1)\n\n", "x\n    - locked <0x1e1> (a com.example.B)\n\n"})
    void doubts_beginsWithTheRestOfAThread_saysSo(String rest) {
        assertThat(ThreadDumps.parse("x", rest + RUNS + HANDLER).doubts())
                .containsExactly("a dump begins with the rest of a thread");
    }

    @Test
    void doubts_exceptionBeforeADump_isNoRestOfAThread() {
        String log = "java.lang.IllegalStateException: x\n    at com.example.B.run(B.java:1)\n\n";

        assertThat(ThreadDumps.parse("x", log + RUNS + HANDLER).doubts()).isEmpty();
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

    /** The name of a holder, at the end of a long line, is not the header of a thread that lost its line end. */
    @Test
    void deadlocks_holdersBehindALongPrefix_areFound() {
        String prefix =
                "2026-03-02T10:00:00.001+01:00  WARN 4711 --- [shop] [   scheduling-1] com.example.web.Dumper : ";
        String circle = prefix + "\"a-1\" prio=5 Id=3 BLOCKED on com.example.A@1e1 owned by \"a-2\" Id=4\n"
                + prefix + "    at com.example.A.run(A.java:2)\n" + prefix + "\n"
                + prefix + "\"a-2\" prio=5 Id=4 BLOCKED on com.example.A@1e2 owned by \"a-1\" Id=3\n"
                + prefix + "    at com.example.A.run(A.java:2)\n";

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
                // Eclipse, "Copy Stack"
                """
                A [Java Application]
                \tcom.example.A at localhost:50123
                \t\tThread [a-1] (Suspended)
                \t\t\twaited by: Thread [a-2] (Running)
                \t\t\tA.run(int) line: 2
                \t\t\tThread.run() line: 840
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
