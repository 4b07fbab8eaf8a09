package io.lifeguard.pool.benchmarks.monitor;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * One JVM of {@link StartCost}: a pool that is calm, sick or full, and what the JVM has used until given seconds. Has
 * no lambda and no stream, which would be part of what is measured.
 */
final class StartCostChild {

    private static final int PERIOD_MILLIS = 50; // 20 tasks a second
    private static final int TASK_MILLIS = 5;
    private static final int IN_FLIGHT = 40;
    private static final Object LOCK = new Object();

    private StartCostChild() {}

    /**
     * {@code calm|sick|full plain|ours seconds seconds… [exit]}; with exit, a JVM that is told to writes an archive.
     */
    public static void main(String[] arguments) throws Exception {
        boolean isOurs = arguments[1].equals("ours");
        boolean mayExit = arguments[arguments.length - 1].equals("exit");
        long begin = System.nanoTime();
        ThreadPoolExecutor pool = arguments[0].equals("full") ? fullPool(isOurs) : pool(isOurs);
        Semaphore room = new Semaphore(IN_FLIGHT);
        Runnable task = arguments[0].equals("calm")
                ? new Sleeping()
                : arguments[0].equals("sick") ? new Locking(room) : new Spinning();
        for (int i = 2; i < arguments.length - (mayExit ? 1 : 0); i++) {
            long until = begin + TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[i]));
            while (System.nanoTime() - until < 0) {
                if (arguments[0].equals("full")) {
                    pool.execute(task);
                } else if (arguments[0].equals("calm")) {
                    pool.execute(task);
                    Thread.sleep(PERIOD_MILLIS);
                } else if (room.tryAcquire(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
                    pool.execute(task);
                }
            }
            System.out.println("used " + arguments[i] + " " + used());
        }
        if (isOurs && arguments[0].equals("sick")) {
            System.out.println("found " + !PoolMonitor.global().findings().isEmpty());
        }
        System.out.flush();
        if (mayExit) {
            System.exit(0);
        }
        Runtime.getRuntime().halt(0); // the end of a pool is not measured
    }

    private static ThreadPoolExecutor pool(boolean isOurs) {
        return isOurs
                ? InstrumentedThreadPoolExecutor.named("start")
                        .size(8)
                        .unboundedQueue()
                        .build()
                : new ThreadPoolExecutor(8, 8, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    }

    private static ThreadPoolExecutor fullPool(boolean isOurs) {
        return isOurs
                ? InstrumentedThreadPoolExecutor.named("start")
                        .size(2)
                        .queueCapacity(1_000)
                        .build()
                : new ThreadPoolExecutor(2, 2, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1_000), new Putting());
    }

    /** The milliseconds of CPU that the process has used, and those of groups of its threads. */
    private static String used() throws IOException {
        long first = 0;
        long second = 0;
        long ours = 0;
        String[] ids = new File("/proc/self/task").list();
        for (String id : ids == null ? new String[0] : ids) {
            String task = "/proc/self/task/" + id;
            long nanos = number(read(task + "/schedstat"), 0);
            String name = read(task + "/comm");
            first += name.startsWith("C1 Compiler") ? nanos : 0;
            second += name.startsWith("C2 Compiler") ? nanos : 0;
            ours += name.startsWith("lifeguard-") ? nanos : 0;
        }
        String stat = read("/proc/self/stat");
        int fields = stat.lastIndexOf(')') + 2;
        long ticks = number(stat.substring(fields), 11) + number(stat.substring(fields), 12);
        return ticks * 10 + " " + first / 1_000_000 + " " + second / 1_000_000 + " " + ours / 1_000_000;
    }

    private static long number(String text, int field) {
        int from = 0;
        for (int i = 0; i < field; i++) {
            from = text.indexOf(' ', from) + 1;
        }
        int end = from;
        while (end < text.length() && Character.isDigit(text.charAt(end))) {
            end++;
        }
        return end == from ? 0 : Long.parseLong(text.substring(from, end));
    }

    private static String read(String file) {
        try (InputStream in = new FileInputStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // the thread has ended
        }
    }

    private static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Sleeping implements Runnable {
        @Override
        public void run() {
            sleep(TASK_MILLIS);
        }
    }

    private static final class Locking implements Runnable {
        private final Semaphore room;

        Locking(Semaphore room) {
            this.room = room;
        }

        @Override
        public void run() {
            synchronized (LOCK) {
                sleep(2 * TASK_MILLIS);
            }
            room.release();
        }
    }

    private static final class Spinning implements Runnable {
        @Override
        public void run() {
            long end = System.nanoTime() + 1_000;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }
    }

    static final class Putting implements RejectedExecutionHandler {
        @Override
        public void rejectedExecution(Runnable task, ThreadPoolExecutor pool) {
            try {
                pool.getQueue().put(task);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
