package io.lifeguard.pool.corpus;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.workbench.ThreadTimes;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.TimeUnit;

/**
 * Measures which share of one core the monitor uses for one event loop that short tasks fill, while there is no pool.
 * Needs Linux:
 *
 * <pre>{@code
 * java -cp checks/corpus/target/corpus.jar io.lifeguard.pool.corpus.EventLoopCost 400 30 40
 * }</pre>
 *
 * <p>The arguments are how many tasks of 20 µs of computing come every 10 ms (400 fill a loop by four fifths, and with
 * 0 there is no loop), and how many seconds to wait and to measure.
 */
public final class EventLoopCost {

    private static final int TASK_NANOS = 20_000;
    private static final int PERIOD_MILLIS = 10;

    private EventLoopCost() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 3) {
            System.err.println("expected three numbers: tasks per 10 ms, seconds to wait, seconds to measure");
            System.exit(2);
        }
        int tasks = Integer.parseInt(arguments[0]);
        PoolMonitor.global();
        if (tasks > 0) {
            fill(new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()).next(), tasks);
        }
        TimeUnit.SECONDS.sleep(Integer.parseInt(arguments[1]));
        ThreadTimes times = ThreadTimes.of(Integer.parseInt(arguments[2]));
        System.out.printf("%d tasks per 10 ms: %.3f %% of one core: %s%n", tasks, times.all(), times);
        System.exit(0);
    }

    private static void fill(EventLoop loop, int tasks) {
        Runnable all = () -> {
            for (int i = 0; i < tasks; i++) {
                loop.execute(EventLoopCost::compute);
            }
        };
        var unused = loop.scheduleAtFixedRate(all, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static void compute() {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < TASK_NANOS) {
            Thread.onSpinWait();
        }
    }
}
