package io.lifeguard.pool.benchmarks.monitor;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.workbench.ChildJvm;
import io.lifeguard.workbench.Table;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A crowd of submitters before a short queue, in a young JVM on a full machine: 64 submitters, 4 workers, a queue of
 * 64, tasks of 10 µs, seconds 2 to 5 of the JVM, beside processes that compute:
 *
 * <pre>{@code
 * java -cp checks/benchmarks/target/benchmarks.jar io.lifeguard.pool.benchmarks.monitor.Crowd \
 *     [--processes 4] [--rounds 5] [--resize]
 * }</pre>
 *
 * <p>Starts JVMs in turn, with a JDK's pool whose submitters put into the queue, and with this library's. Prints the
 * medians of tasks per second, of how many tasks the least and the most served submitter got in, and of the longest
 * wait of any. With {@code --resize} the number of workers changes every 0.2 ms.
 */
public final class Crowd {

    private static final int SUBMITTERS = 64;
    private static final int WORKERS = 4;
    private static final int CAPACITY = 64;
    private static final long TASK_NANOS = 10_000;
    private static final long BEGIN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LENGTH_NANOS = TimeUnit.SECONDS.toNanos(4);
    private static final List<String> POOLS = List.of("plain", "ours");

    private Crowd() {}

    public static void main(String[] arguments) throws IOException {
        List<String> options = Arrays.asList(arguments);
        int processes = number(options, "--processes", 4);
        int rounds = number(options, "--rounds", 5);
        List<List<long[]>> results = List.of(new ArrayList<>(), new ArrayList<>());
        List<ChildJvm> neighbours = new ArrayList<>();
        try {
            for (int i = 0; i < processes; i++) {
                neighbours.add(child("spin"));
            }
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < POOLS.size(); i++) {
                    results.get(i).add(run(POOLS.get(i), options.contains("--resize")));
                }
            }
        } finally {
            neighbours.forEach(ChildJvm::close);
        }
        Table table = new Table(
                "beside " + processes + " processes", "tasks/s", "least", "most", "longest wait, ms", "of all rounds");
        for (int i = 0; i < POOLS.size(); i++) {
            List<long[]> all = results.get(i);
            table.row(
                    POOLS.get(i),
                    Long.toString(median(all, 0)),
                    Long.toString(median(all, 1)),
                    Long.toString(median(all, 2)),
                    Long.toString(median(all, 3)),
                    all.stream().map(one -> Long.toString(one[0])).toList().toString());
        }
        System.out.println(table.markdown());
    }

    private static int number(List<String> options, String name, int otherwise) {
        int at = options.indexOf(name);
        return at < 0 ? otherwise : Integer.parseInt(options.get(at + 1));
    }

    private static long median(List<long[]> all, int column) {
        long[] sorted = all.stream().mapToLong(one -> one[column]).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private static ChildJvm child(String... arguments) throws IOException {
        return ChildJvm.start(List.of(ChildJvm.java()), List.of(), Child.class, List.of(arguments));
    }

    private static long[] run(String pool, boolean resizes) throws IOException {
        try (ChildJvm jvm = child(pool, resizes ? "resize" : "")) {
            if (jvm.await(Duration.ofMinutes(2)) != 0) {
                throw new IOException("a JVM failed: " + jvm.output());
            }
            String line = jvm.output().get(jvm.output().size() - 1);
            return Arrays.stream(line.split(" ", -1)).mapToLong(Long::parseLong).toArray();
        }
    }

    /** One JVM. Has no lambda and no stream, which its compilers would have to work for. */
    static final class Child implements Runnable {
        private final ThreadPoolExecutor pool;
        private final CountDownLatch allStarted;
        private final long[] own; // of this submitter: tasks, longest wait

        private Child(ThreadPoolExecutor pool, CountDownLatch allStarted, long[] own) {
            this.pool = pool;
            this.allStarted = allStarted;
            this.own = own;
        }

        public static void main(String[] arguments) throws InterruptedException {
            while (arguments[0].equals("spin")) {
                Thread.onSpinWait(); // until the parent ends it
            }
            ThreadPoolExecutor pool = arguments[0].equals("ours")
                    ? InstrumentedThreadPoolExecutor.named("crowd")
                            .size(WORKERS)
                            .queueCapacity(CAPACITY)
                            .build()
                    : new ThreadPoolExecutor(
                            WORKERS,
                            WORKERS,
                            0,
                            TimeUnit.SECONDS,
                            new ArrayBlockingQueue<>(CAPACITY),
                            new StartCostChild.Putting());
            CountDownLatch allStarted = new CountDownLatch(SUBMITTERS + 1);
            long[][] figures = new long[SUBMITTERS][2];
            Thread[] submitters = new Thread[SUBMITTERS];
            for (int i = 0; i < SUBMITTERS; i++) {
                submitters[i] = new Thread(new Child(pool, allStarted, figures[i]));
                submitters[i].setDaemon(true);
                submitters[i].start();
            }
            arrive(allStarted);
            long begin = System.nanoTime() + BEGIN_NANOS;
            boolean resizes = arguments[1].equals("resize");
            for (int i = 0; System.nanoTime() - begin - LENGTH_NANOS < 0; i++) {
                if (resizes) {
                    pool.setMaximumPoolSize(WORKERS + 1 + i % 2);
                    TimeUnit.MICROSECONDS.sleep(200);
                } else {
                    TimeUnit.MILLISECONDS.sleep(50);
                }
            }
            long sum = 0;
            long least = Long.MAX_VALUE;
            long most = 0;
            long longest = 0;
            for (long[] figure : figures) {
                sum += figure[0];
                least = Math.min(least, figure[0]);
                most = Math.max(most, figure[0]);
                longest = Math.max(longest, figure[1]);
            }
            System.out.println(sum / TimeUnit.NANOSECONDS.toSeconds(LENGTH_NANOS) + " " + least + " " + most + " "
                    + TimeUnit.NANOSECONDS.toMillis(longest));
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }

        /** On a full machine it takes seconds until the last submitter has started. */
        private static void arrive(CountDownLatch allStarted) {
            allStarted.countDown();
            try {
                allStarted.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void run() {
            Runnable task = new Spinning();
            arrive(allStarted);
            long now = System.nanoTime();
            long begin = now + BEGIN_NANOS;
            while (now - begin - LENGTH_NANOS < 0) {
                pool.execute(task);
                long after = System.nanoTime();
                if (now - begin >= 0) {
                    own[0]++;
                    own[1] = Math.max(own[1], after - now);
                }
                now = after;
            }
        }
    }

    private static final class Spinning implements Runnable {
        @Override
        public void run() {
            long end = System.nanoTime() + TASK_NANOS;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }
    }
}
