package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.dumps.ThreadDumps;
import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import io.lifeguard.pool.tools.watch.ThreadShapes.Shaped;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Which threads of unknown libraries, and of the user's own classes, are a pool. */
class ThreadShapesTest {

    private static final String TAKE = "java.util.concurrent.LinkedBlockingQueue.take";

    private final ThreadShapes shapes = new ThreadShapes();

    @Test
    void group_loopThatTakesFromOneQueue_isAPool() {
        String threads = idle("job(1)", "0xaa", "com.example.jobs.Worker.run")
                + idle("job(2)", "0xaa", "com.example.jobs.Worker.run")
                + busy("job(3)", "com.example.shop.Orders.load", "com.example.jobs.Worker.run");

        FoundPool pool = only(find(threads).pools());

        assertThat(pool.name()).isEqualTo("job");
        assertThat(pool.kind()).isEqualTo(PoolKind.SHAPED);
        assertThat(pool.workers())
                .extracting(DumpedThread::doing)
                .map(Enum::name)
                .containsExactly("IDLE", "IDLE", "WAITING_FOR_LOCK");
    }

    /** Each is a consumer, or an executor of one thread. */
    @Test
    void group_loopsThatTakeFromQueuesOfTheirOwn_areNoPool() {
        assertThat(find(idle("job-1", "0xaa", "com.example.jobs.Worker.run")
                                + idle("job-2", "0xbb", "com.example.jobs.Worker.run"))
                        .pools())
                .isEmpty();
        assertThat(find(idle("job-1", "0xaa", "com.example.jobs.Worker.run")
                                + busy("job-2", "com.example.shop.Orders.load", "com.example.jobs.Worker.run"))
                        .pools())
                .isEmpty();
    }

    @Test
    void group_idleInOneDumpAndBusyInTheNext_isAPoolInBoth() {
        assertThat(find(idle("job-1", "0xaa", "com.example.Worker.run")
                                + busy("job-2", "com.example.Orders.load", "com.example.Worker.run"))
                        .pools())
                .hasSize(1);
        assertThat(find(busy("job-1", "com.example.Orders.load", "com.example.Worker.run")
                                + busy("job-2", "com.example.Orders.load", "com.example.Worker.run"))
                        .pools())
                .hasSize(1);
    }

    @Test
    void group_libraryThatRunsTheUsersCode_isAPoolThoughNeverIdle() {
        String worker = "org.unheard.of.Engine$Worker.run";
        FoundPool pool = only(find(busy("engine 1 prio", "com.example.Orders.load", worker)
                        + busy("engine 2 prio", "com.example.Orders.load", worker))
                .pools());

        assertThat(pool.name()).isEqualTo("engine prio");
    }

    @Test
    void group_clientsOfTheUsersOwn_areBusyAndNoPool() {
        Shaped threads = find(busy("client-1", "com.example.Orders.load", "com.example.Main.lambda$main$0")
                + busy("client-2", "com.example.Orders.load", "com.example.Main.lambda$main$0"));

        assertThat(threads.pools()).isEmpty();
        assertThat(only(threads.others()).workers()).hasSize(2);
    }

    /** Idle threads of the JDK and selectors are no pools. */
    @Test
    void group_threadsOfTheJdk_areNoPool() {
        assertThat(find(idle("HttpClient-1-Helper", "0xaa", "jdk.internal.net.http.Helper.run")
                                + idle("HttpClient-2-Helper", "0xaa", "jdk.internal.net.http.Helper.run"))
                        .pools())
                .isEmpty();
    }

    /** A wait in a method that a lambda calls may be for anything, and one in the loop's own class is for a task. */
    @Test
    void isAtRest_waitForANotification_isInTheLoopsOwnClass() {
        String wait = "java.lang.Object.wait";
        assertThat(ThreadShapes.isAtRest(thread(text("job-1", wait, "com.example.Job.next", "com.example.Job.run"))))
                .isTrue();
        assertThat(ThreadShapes.isAtRest(thread(text("job-1", wait, "com.example.Job.load", "com.example.Job.lambda"))))
                .isFalse();
        assertThat(ThreadShapes.isAtRest(thread(text("job-1", wait, "com.example.Row.lock", "com.example.Job.run"))))
                .isFalse();
        assertThat(ThreadShapes.isAtRest(thread(
                        text("x-1", wait, "org.jboss.Queue.next", "org.jboss.Source.take", "org.jboss.Loop.run"))))
                .isTrue();
    }

    private Shaped find(String threads) {
        return PoolFinder.find(dump(threads), UnaryOperator.identity(), shapes);
    }

    private static FoundPool only(List<FoundPool> pools) {
        assertThat(pools).hasSize(1);
        return pools.get(0);
    }

    private static DumpedThread thread(String text) {
        return dump(text).threads().get(0);
    }

    private static ThreadDump dump(String threads) {
        return ThreadDumps.parse("test", "Full thread dump\n" + threads).dumps().get(0);
    }

    private static String idle(String name, String queue, String loop) {
        return text(name, "jdk.internal.misc.Unsafe.park", TAKE, loop)
                .replace(
                        "park(Unknown Source)\n",
                        "park(Unknown Source)\n\t- parking to wait for <" + queue
                                + "> (a java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject)\n");
    }

    private static String busy(String name, String... stack) {
        return text(name, stack).replace("WAITING", "BLOCKED");
    }

    private static String text(String name, String... stack) {
        StringBuilder text = new StringBuilder("\"" + name + "\" #1 prio=5 tid=0x00007f nid=0x7 waiting\n");
        text.append("   java.lang.Thread.State: WAITING (parking)\n");
        for (String frame : stack) {
            text.append("\tat ").append(frame).append("(Unknown Source)\n");
        }
        return text.append("\tat java.lang.Thread.run(Unknown Source)\n\n").toString();
    }
}
