package io.lifeguard.pool.tools.dumps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What could not be read is never mistaken for "no deadlock". */
class CompletenessTest {

    private static final String BEGIN = "Full thread dump OpenJDK 64-Bit Server VM (17.0.12+7 mixed mode):\n\n";
    private static final String END = "JNI global refs: 31, weak refs: 0\n\n";

    @Test
    void doubts_wholeDumpWithoutLocks_none() {
        assertThat(doubts(BEGIN + runs("main") + END)).isEmpty();
    }

    @Test
    void doubts_threadsOfTheJvmWithoutStacks_areNotMissing() {
        assertThat(doubts(BEGIN + runs("main")
                        + "\"C1 CompilerThread0\" #7 daemon prio=9 os_prio=0 cpu=1.00ms elapsed=2.00s"
                        + " tid=0x00007f nid=0x17 waiting on condition  [0x0000000000000000]\n"
                        + "   java.lang.Thread.State: RUNNABLE\n   No compile task\n\n"
                        + "\"VM Thread\" os_prio=0 cpu=1.00ms elapsed=2.00s tid=0x00007f nid=0x12 runnable\n\n"
                        + END))
                .isEmpty();
    }

    @Test
    void doubts_beginningOnly_isADumpWithoutThreads() {
        assertThat(doubts(BEGIN + END)).containsExactly("a dump without threads");
    }

    @Test
    void doubts_headersOnly_areThreadsWithoutAStack() {
        assertThat(doubts(BEGIN + header("a", 1) + "\n" + header("b", 2) + "\n" + END))
                .containsExactly("2 threads without a stack");
    }

    @Test
    void doubts_oneStackIsMissing_saysHowMany() {
        assertThat(doubts(BEGIN + runs("main") + header("b", 2) + "   java.lang.Thread.State: WAITING (parking)\n\n"
                        + END))
                .containsExactly("the stacks of 1 of 2 threads are missing");
    }

    @Test
    void doubts_headerWithoutItsEnd_isAMissingThread() {
        assertThat(doubts(BEGIN + runs("main") + "\"b\" #2 daemon prio=5 os_prio=0\n\tat a.B.c(B.java:1)\n\n" + END))
                .containsExactly("the stacks of 1 of 2 threads are missing");
    }

    @Test
    void doubts_stateIsMissing_threadIsReadByItsHeader() {
        ThreadDumps dumps = ThreadDumps.parse("x", BEGIN + header("a", 1) + "\tat a.B.c(B.java:1)\n\n" + END);

        assertThat(dumps.doubts()).isEmpty();
        assertThat(dumps.dumps().get(0).threads().get(0).state()).isEqualTo(Thread.State.BLOCKED);
    }

    @Test
    void doubts_jvmNamesMoreDeadlocksThanWereRead_saysBothNumbers() {
        String list = "Found one Java-level deadlock:\n=============================\n\"a\":\n\nFound 2 deadlocks.\n";

        assertThat(doubts(BEGIN + runs("main") + END + list))
                .containsExactly("the JVM names 2 deadlocks, of which none could be read");
    }

    @Test
    void doubts_blockedWithoutALock_onlyWhereTheJvmHasNotLooked() {
        String blocked = header("a", 1) + "   java.lang.Thread.State: BLOCKED (on object monitor)\n"
                + "\tat a.B.c(B.java:1)\n\n";

        assertThat(doubts(BEGIN + blocked + END)).isEmpty();
        assertThat(doubts(BEGIN + blocked))
                .contains("for which lock 1 blocked thread waits is not in the dump", "a dump in it ends too early");
    }

    @Test
    void doubts_lockThatCannotBeRead_isOne() {
        assertThat(doubts(BEGIN + runs("main") + header("a", 1)
                        + "   java.lang.Thread.State: BLOCKED (on object monitor)\n\tat a.B.c(B.java:1)\n"
                        + "\t- waiting to lock  (a a.B)\n\n" + END))
                .containsExactly("a line about a lock could not be read");
    }

    /** JDK 21 to 24 write neither states nor locks. */
    @Test
    void doubts_formWithoutLocks_unlessNobodyMayWantOne() {
        String asleep = "#1 \"main\"\n      java.base/java.lang.Thread.sleep(Native Method)\n      a.B.c(B.java:1)\n\n"
                + "#9 \"Reference Handler\"\n      java.base/java.lang.ref.Reference.get(Native Method)\n\n";
        String runs = "      a.B.c(B.java:1)\n\n";

        assertThat(doubts(asleep + "#2 \"a\"\n" + runs)).isEmpty();
        assertThat(doubts(asleep + "#2 \"a\"\n" + runs + "#3 \"b\"\n" + runs))
                .containsExactly("this form of dump does not say which locks 2 threads may want or hold");
    }

    /** The file of JDK 25 names who holds a monitor, but not who holds a lock. */
    @Test
    void doubts_oneCircleAndLocksWithoutHolders_areSaid() {
        String json = "{\"threadDump\": {\"processId\": 1, \"threadContainers\": [{\"threads\": [%s]}]}}"
                .formatted(String.join(
                        ",",
                        blocked("a", "x.Right@2", "x.Left@1"),
                        blocked("b", "x.Left@1", "x.Right@2"),
                        parked("c", "3"),
                        parked("d", "4")));
        ThreadDumps dumps = ThreadDumps.parse("x", json);

        assertThat(dumps.deadlocks()).hasSize(1);
        assertThat(dumps.doubts())
                .containsExactly("this form of dump does not say which locks 2 threads may want or hold");
        assertThat(dumps.toText(9)).contains("whether there is another deadlock cannot be told");
    }

    /** The JVM does not say who holds a read lock, and does not look for circles of them. */
    @Test
    void doubts_waitForReadLock_nobodyKnowsWhoHoldsIt() {
        String writer = header("writer", 5) + "   java.lang.Thread.State: WAITING (parking)\n"
                + "\tat jdk.internal.misc.Unsafe.park(Native Method)\n"
                + "\t- parking to wait for  <0x0e1> (a java.util.concurrent.locks.ReentrantReadWriteLock$FairSync)\n"
                + "\tat java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock.lock(ReentrantReadWriteLock.java:959)\n"
                + "\tat com.example.A.run(A.java:1)\n\n";

        assertThat(doubts(BEGIN + writer + END))
                .containsExactly(
                        "for 1 thread a dump does not say who holds the lock: a read lock, a StampedLock, or the"
                                + " initialisation of a class");
        assertThat(doubts(BEGIN + writer.replace("WAITING", "TIMED_WAITING") + END))
                .isEmpty();
        assertThat(doubts(BEGIN + writer + runs("main") + "\n   Locked ownable synchronizers:\n"
                        + "\t- <0x0e1> (a java.util.concurrent.locks.ReentrantReadWriteLock$FairSync)\n\n" + END))
                .isEmpty();
    }

    /** Of two threads that want locks, one whose lock nobody is known to hold is enough for a circle. */
    @Test
    void doubts_formWithoutHolders_oneUnknownAndOneWaiterAreEnough() {
        String waiter = """
                "a-1" Id=3 BLOCKED on com.example.A@1e1 owned by "a-2" Id=4
                    at com.example.A.run(A.java:2)

                """;
        String unknown = """
                "a-2" Id=4 WAITING on java.util.concurrent.locks.ReentrantLock$NonfairSync@1e2
                    at jdk.internal.misc.Unsafe.park(Native Method)
                    at java.util.concurrent.locks.ReentrantLock.lock(ReentrantLock.java:322)
                    at com.example.A.run(A.java:3)

                "Finalizer" Id=5 RUNNABLE
                    at com.example.A.run(A.java:3)

                """;

        assertThat(ThreadDumps.parse("x", waiter + unknown).doubts())
                .containsExactly("this form of dump does not say which locks 1 thread may want or hold");
        assertThat(ThreadDumps.parse("x", unknown).doubts()).isEmpty();
    }

    @Test
    void doubts_holderCallsAnotherProcessOfAndroid_saysSo() {
        String text = """
                DALVIK THREADS (3):
                "main" prio=5 tid=1 Blocked
                  at com.example.A.run(A.java:2)
                  - waiting to lock <0x1e1> (a com.example.A) held by thread 8
                "Binder:1_2" prio=5 tid=8 Native
                  at android.os.BinderProxy.transactNative(Native method)
                  at com.example.A.call(A.java:9)
                "Signal Catcher" daemon prio=5 tid=2 Native
                """;

        assertThat(ThreadDumps.parse("x", text).doubts())
                .containsExactly("what holds up 1 thread is a call to another process, which may wait for this one");
    }

    @Test
    void locks_threadThatWasNotified_wantsItsMonitorAgain() {
        String notified = header("notified", 5) + "   java.lang.Thread.State: BLOCKED (on object monitor)\n"
                + "\tat java.lang.Object.wait(Native Method)\n\t- waiting on <0x0e1> (a com.example.A)\n"
                + "\tat com.example.A.run(A.java:1)\n\t- locked <0x0e1> (a com.example.A)\n\n";
        String holder = runs("main").stripTrailing() + "\n\t- locked <0x0e1> (a com.example.A)\n\n";

        assertThat(ThreadDumps.parse("x", BEGIN + notified + holder + END).locks())
                .singleElement()
                .satisfies(
                        queue -> assertThat(queue.owner().orElseThrow().name()).isEqualTo("main"));
    }

    @Test
    void doubts_partOfJavacore_isAnExcerpt() {
        String text = """
                3XMTHREADINFO      "a-1" J9VMThread:0x0000000000A1, omrthread_t:0x1, java/lang/Thread:0x2, state:R, prio=5
                4XESTACKTRACE                at com/example/A.run(A.java:1)
                3XMTHREADINFO      "GC Worker" J9VMThread:0x0000000000A2, omrthread_t:0x1, java/lang/Thread:0x2, state:CW, prio=5
                3XMTHREADINFO3           No Java callstack associated with this thread
                0SECTION       CLASSES subcomponent dump routine
                """;

        assertThat(doubts(text)).singleElement().asString().contains("excerpt");
        assertThat(doubts("0SECTION       LOCKS subcomponent dump routine\n" + text))
                .isEmpty();
    }

    private static String blocked(String name, String wanted, String held) {
        return """
            {"tid": "1%s", "name": "%s", "state": "BLOCKED", "blockedOn": "%s", "stack": ["a.B.c(B.java:1)"],
             "monitorsOwned": [{"depth": 0, "locks": ["%s"]}]}""".formatted(name, name, wanted, held);
    }

    private static String parked(String name, String lock) {
        return """
            {"tid": "1%s", "name": "%s", "state": "WAITING",
             "parkBlocker": {"object": "java.util.concurrent.locks.ReentrantLock$NonfairSync@%s"},
             "stack": ["java.base/jdk.internal.misc.Unsafe.park(Native Method)",
                       "java.base/java.util.concurrent.locks.ReentrantLock.lock(ReentrantLock.java:322)",
                       "a.B.c(B.java:1)"]}""".formatted(name, name, lock);
    }

    /** Until 16 the header says that a thread waits for a class, and no line says for which. */
    @Test
    void deadlocks_classInitialisersOfJdk8_areFound() {
        String circle = initialiser("one", 1, "a.One", true) + initialiser("two", 2, "a.Two", true);

        ThreadDumps dumps = ThreadDumps.parse("x", BEGIN + circle + END);
        assertThat(RealDumpsTest.deadlocks(dumps)).containsExactly(Set.of("one", "two"));
        assertThat(dumps.toText(9))
                .contains("\"one\" at a.One.<clinit>(A.java:3) wants the initialisation of class a.Two");
        assertThat(doubts(BEGIN + circle + initialiser("three", 3, "a.Three", false) + END))
                .as("both may wait for the third")
                .containsExactly("for which classes 2 threads wait while they initialise others is not in the dump");
        assertThat(doubts(BEGIN + initialiser("one", 1, "a.One", true) + initialiser("two", 2, "a.Two", false) + END))
                .isEmpty();
    }

    private static String initialiser(String name, int id, String type, boolean waits) {
        return "\"" + name + "\" #" + id + " prio=5 os_prio=0 tid=0x00007f nid=0x" + id
                + (waits ? " in Object.wait()" : " runnable") + " [0x00007f0002a000]\n"
                + "   java.lang.Thread.State: RUNNABLE\n\tat " + type + ".<clinit>(A.java:3)\n"
                + "\tat a.Main$1.run(Main.java:7)\n\n";
    }

    @Test
    void toText_hotspotSince21_saysThatVirtualThreadsAreMissing() throws IOException {
        for (String jdk : List.of("8", "11", "17", "21", "25")) {
            assertThat(ThreadDumps.parse("x", DumpFormsTest.dump("healthy", jdk))
                            .toText(9)
                            .contains("virtual threads are not in a dump of this form"))
                    .as(jdk)
                    .isEqualTo(jdk.startsWith("2"));
        }
    }

    @Test
    void toText_doubtOrNone_saysWhich() {
        assertThat(ThreadDumps.parse("x", BEGIN + runs("main") + END).toText(1)).endsWith("\nno deadlock\n");
        assertThat(ThreadDumps.parse("x", BEGIN + END).toText(1))
                .doesNotContain("no deadlock")
                .endsWith("whether there is a deadlock cannot be told:\n  a dump without threads\n");
    }

    private static List<String> doubts(String text) {
        return ThreadDumps.parse("x", text).doubts();
    }

    private static String header(String name, int id) {
        return "\"" + name + "\" #" + id + " prio=5 os_prio=0 cpu=1.00ms elapsed=2.00s tid=0x00007f nid=0x" + id
                + " waiting for monitor entry  [0x00007f0002a000]\n";
    }

    private static String runs(String name) {
        return header(name, 9) + "   java.lang.Thread.State: RUNNABLE\n\tat a.B.c(B.java:1)\n\n";
    }
}
