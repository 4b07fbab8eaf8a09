package io.lifeguard.pool.tools.dumps;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that wait near their own {@code run} have nothing to do; threads that want something do not. */
class IdleThreadsTest {

    private static final String WAIT = "java.lang.Object.wait(Native Method)";
    private static final String PARK = "jdk.internal.misc.Unsafe.park(Native Method)";
    private static final String THREAD = "java.lang.Thread.run(Thread.java:840)";
    private static final String POOL =
            "java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1136)";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x.jobs.Worker.next(W.java:1) x.jobs.Worker.run(W.java:2) " + THREAD,
                "x.jobs.Worker.next(W.java:1) x.jobs.Worker.run(W.java:2)", // a subclass of Thread
                "sun.awt.AWTAutoShutdown.run(A.java:296) " + THREAD, // threads of the JDK
                "java.util.concurrent.DelayQueue.take(D.java:209) javax.swing.TimerQueue.run(T.java:171) " + THREAD,
                "sun.nio.fs.AbstractWatchService.take(A.java:118) a.b.C.run(C.java:1) " + POOL + " " + THREAD,
                "java.util.TimerThread.mainLoop(Timer.java:537) java.util.TimerThread.run(Timer.java:516)",
                "java.lang.ref.ReferenceQueue.remove(R.java:1) a.b.C.a(C.java:1) a.b.C.b(C.java:1) a.b.C.c(C.java:1)"
                        + " a.b.C.d(C.java:1) a.b.C.e(C.java:1) " + POOL,
            })
    void among_waitNearTheRun_isIdle(String frames) {
        assertThat(idle(1, 0, frames)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x.web.Desk.serve(D.java:1) x.web.Desk.run(D.java:2) " + POOL + " " + THREAD, // a task of a pool
                "java.util.concurrent.ConcurrentLinkedQueue.poll(C.java:1) " + POOL + " " + THREAD, // a task of the JDK
                "java.util.concurrent.Semaphore.acquire(S.java:1) x.web.Desk.run(D.java:2) " + THREAD,
                "java.util.concurrent.ArrayBlockingQueue.put(A.java:1) x.web.Desk.run(D.java:2) " + THREAD,
                "x.db.ConnectionPool.lend(D.java:1) x.web.Desk.run(D.java:2) " + THREAD,
                "a.b.C.a(C.java:1) a.b.C.b(C.java:1) a.b.C.c(C.java:1) a.b.C.d(C.java:1) a.b.C.run(C.java:1) " + THREAD,
            })
    void among_waitForSomething_isNot(String frames) {
        assertThat(idle(1, 0, frames)).isZero();
    }

    @Test
    void among_workerThatParksForATime_isIdle() {
        String frames = " x.jobs.Worker.park(W.java:1) x.jobs.Worker.run(W.java:2) " + THREAD;
        String parks = thread(
                "a", "TIMED_WAITING", PARK + " java.util.concurrent.locks.LockSupport.parkNanos(L.java:1)" + frames);
        String sleeps = thread("a", "TIMED_WAITING", "java.lang.Thread.sleep(Native Method)" + frames);

        assertThat(IdleThreads.among(ThreadDumps.parse("x", "Full thread dump\n" + parks + sleeps)
                        .dumps()
                        .get(0)
                        .threads()))
                .hasSize(1);
    }

    @Test
    void among_deeperWait_isIdleIfNearlyAllOfItsGroupWaitThere() {
        String deep =
                "a.b.C.a(C.java:1) a.b.C.b(C.java:1) a.b.C.c(C.java:1) a.b.C.d(C.java:1) a.b.C.run(C.java:1) " + THREAD;

        assertThat(idle(9, 1, deep)).isEqualTo(9);
        assertThat(idle(9, 2, deep)).isZero();
        assertThat(idle(2, 0, deep)).isZero();
    }

    @Test
    void groups_byInterest_idleOnesComeLast() {
        String text =
                "Full thread dump\n" + thread("Worker 0", "WAITING", WAIT + " x.jobs.Worker.run(W.java:2) " + THREAD)
                        + thread("Worker 1", "WAITING", WAIT + " x.jobs.Worker.run(W.java:2) " + THREAD)
                        + thread("main", "RUNNABLE", "x.Main.main(M.java:1)")
                        + thread("late", "BLOCKED", "x.Main.late(M.java:1)");

        assertThat(ThreadDumps.parse("x", text).groups())
                .extracting(ThreadDumps.Group::doing)
                .containsExactly(Doing.WAITING_FOR_LOCK, Doing.COMPUTING, Doing.IDLE);
    }

    /** Returns how many of so many threads with this stack, and others of their group that compute, are idle. */
    private static int idle(int waiting, int computing, String frames) {
        List<String> threads = new ArrayList<>();
        String top = frames.startsWith("java.util.concurrent.") ? PARK : WAIT;
        for (int i = 0; i < waiting; i++) {
            threads.add(thread("worker " + i, "WAITING", top + " " + frames));
        }
        for (int i = 0; i < computing; i++) {
            threads.add(thread("worker " + (waiting + i), "RUNNABLE", "a.b.C.compute(C.java:5) " + THREAD));
        }
        ThreadDumps dumps = ThreadDumps.parse("x", "Full thread dump\n" + String.join("", threads));
        List<DumpedThread> read = dumps.dumps().get(0).threads();
        assertThat(read).hasSize(waiting + computing);
        assertThat(read.get(0).doing()).isEqualTo(Doing.WAITING_IN_LINE);
        return IdleThreads.among(read).size();
    }

    private static String thread(String name, String state, String frames) {
        StringBuilder text =
                new StringBuilder("\"" + name + "\" #1 prio=5 tid=0x1 nid=0x1 waiting  [0x00007f000b4000]\n"
                        + "   java.lang.Thread.State: " + state + "\n");
        for (String frame : frames.replace("(Native Method)", "(Native_Method)").split(" ")) {
            text.append("\tat ").append(frame.replace('_', ' ')).append('\n');
        }
        return text.append('\n').toString();
    }
}
