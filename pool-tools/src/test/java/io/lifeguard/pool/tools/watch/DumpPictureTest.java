package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.seen.DeadlockCircle.Member;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.dumps.ThreadDumps;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who holds a lock is concluded from stacks only where there is no doubt. */
class DumpPictureTest {

    private static final String LOCK = "java.util.concurrent.locks.ReentrantLock$NonfairSync@";

    static String waiter(String name, String lock, int line) {
        return """
                {"tid": "1", "virtual": true, "name": "%s", "state": "WAITING", "parkBlocker": {"object": "%s%s"},
                 "stack": ["java.base/java.lang.VirtualThread.park(VirtualThread.java:742)",
                 "java.base/java.util.concurrent.locks.ReentrantLock.lock(ReentrantLock.java:322)",
                 "com.example.Bank.transfer(Bank.java:%d)",
                 "java.base/java.lang.VirtualThread.run(VirtualThread.java:460)"]}""".formatted(name, LOCK, lock, line);
    }

    static String timed(String waiter) {
        return waiter.replace("\"WAITING\"", "\"TIMED_WAITING\"")
                .replace("ReentrantLock.lock(", "ReentrantLock.tryLock(");
    }

    private static String caller(String name, int line) {
        return """
                {"tid": "2", "virtual": true, "name": "%s", "state": "WAITING",
                 "stack": ["java.base/java.lang.VirtualThread.park(VirtualThread.java:742)",
                 "java.base/java.util.concurrent.locks.LockSupport.park(LockSupport.java:221)",
                 "com.example.Http.get(Http.java:7)", "com.example.Bank.transfer(Bank.java:%d)",
                 "java.base/java.lang.VirtualThread.run(VirtualThread.java:460)"]}""".formatted(name, line);
    }

    static ThreadDump dump(String... threads) {
        return ThreadDumps.parse(
                        "x",
                        "{\"threadDump\": {\"threadContainers\": [{\"threads\": [" + String.join(",", threads)
                                + "]}]}}")
                .dumps()
                .get(0);
    }

    private static List<DumpedThread> waiters(ThreadDump dump) {
        return dump.threads().stream()
                .filter(thread -> thread.name().startsWith("waits"))
                .toList();
    }

    @Test
    void of_oneThreadBehindTheLine_holdsTheLock() {
        ThreadDump dump = dump(waiter("waits-1", "a", 40), waiter("waits-2", "a", 40), caller("calls", 42));
        assertThat(dump.picture().likelyHolder(waiters(dump)))
                .map(DumpedThread::name)
                .contains("calls");
    }

    /** It may have been refused the lock, and so may whoever is behind the line. */
    @Test
    void of_waitHasATimeLimit_isUnknown() {
        ThreadDump dump = dump(timed(waiter("waits-1", "a", 40)), caller("calls", 42));
        assertThat(dump.picture().likelyHolder(waiters(dump))).isEmpty();
    }

    /** It would take too long. */
    @Test
    void ofAndCircles_moreThan2000Threads_areUnknown() {
        ThreadDump most = crowd(1_996);
        assertThat(most.threads()).hasSize(2_000);
        assertThat(most.picture().likelyHolder(waitersOfA(most))).isPresent();
        assertThat(most.picture().likelyDeadlocks()).hasSize(1);

        ThreadDump tooMany = crowd(1_997);
        assertThat(tooMany.picture().likelyHolder(waitersOfA(tooMany))).isEmpty();
        assertThat(tooMany.picture().likelyDeadlocks()).isEmpty();
    }

    private static List<DumpedThread> waitersOfA(ThreadDump dump) {
        return dump.threads().stream()
                .filter(thread -> thread.waitsFor()
                        .map(DumpedThread.Lock::identity)
                        .orElse("")
                        .endsWith("@a"))
                .toList();
    }

    private static ThreadDump crowd(int others) {
        List<String> threads = new ArrayList<>(Collections.nCopies(others, caller("calls", 39)));
        threads.add(waiter("one", "b", 43));
        threads.add(waiter("other", "a", 43));
        threads.add(waiter("waits-1", "a", 40));
        threads.add(waiter("waits-2", "b", 40));
        return dump(threads.toArray(String[]::new));
    }

    @Test
    void of_threadsBeforeTheLine_doNotHoldIt() {
        ThreadDump dump = dump(waiter("waits-1", "a", 40), caller("calls", 39));
        assertThat(dump.picture().likelyHolder(waiters(dump))).isEmpty();
    }

    /** They may have different locks. */
    @Test
    void of_twoThreadsBehindTheLine_isUnknown() {
        ThreadDump dump = dump(waiter("waits-1", "a", 40), caller("calls-1", 42), caller("calls-2", 42));
        assertThat(dump.picture().likelyHolder(waiters(dump))).isEmpty();
    }

    @Test
    void circles_eachIsBehindWhereTheOthersQueue_areFound() {
        ThreadDump dump = dump(
                waiter("one", "b", 43),
                waiter("other", "a", 43),
                waiter("waits-1", "a", 40),
                waiter("waits-2", "b", 40));
        assertThat(dump.picture().likelyDeadlocks())
                .singleElement()
                .satisfies(circle -> assertThat(circle.members())
                        .extracting(Member::name)
                        .containsExactlyInAnyOrder("one", "other"));
    }

    @Test
    void circles_oneTriesForATime_areNone() {
        assertThat(dump(
                                waiter("one", "b", 43),
                                timed(waiter("other", "a", 43)),
                                waiter("waits-1", "a", 40),
                                waiter("waits-2", "b", 40))
                        .picture()
                        .likelyDeadlocks())
                .isEmpty();
    }

    @Test
    void circles_theHolderCalls_areNone() {
        assertThat(dump(waiter("waits-1", "a", 40), waiter("waits-2", "b", 40), caller("calls", 42))
                        .picture()
                        .likelyDeadlocks())
                .isEmpty();
    }
}
