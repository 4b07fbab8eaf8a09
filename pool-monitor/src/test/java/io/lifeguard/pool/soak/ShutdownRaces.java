package io.lifeguard.pool.soak;

import io.lifeguard.pool.soak.SoakTask.Deed;
import io.lifeguard.pool.soak.SoakTask.Route;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Many small races between submitters, most of whom wait for room, and the end of their pool. In each, every task is
 * accepted and run, returned by {@code shutdownNow}, or refused; the pool terminates, its threads end, and every
 * submitter comes back.
 *
 * <p>Half of the races force the interleaving that matters: the pool ends when every submitter waits, which is seen by
 * the state of its thread. The other half lets it end at a random moment. In some the pool comes to rest first, so that
 * a wake-up that was lost is not made good by the shutdown.
 */
final class ShutdownRaces {

    private static final int SUBMITTERS = 4;
    private static final int MOST_TASKS = 6;
    private static final long PATIENCE_SECONDS = 30;
    private static final long LONGEST_FORCING_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int LONGEST_SPIN = 20_000;

    /** How a race ends. */
    private enum End {
        SHUTDOWN,
        SHUTDOWN_NOW,
        BOTH,
        INTERRUPT_AND_SHUTDOWN,
        INTERRUPT_AND_SHUTDOWN_NOW,
        REST_FIRST
    }

    private final long seed;
    private final ExecutorService threads = Executors.newFixedThreadPool(SUBMITTERS, ShutdownRaces::thread);
    private final ExecutorService accomplice = Executors.newSingleThreadExecutor(ShutdownRaces::thread);
    private final AtomicReferenceArray<Thread> submitting = new AtomicReferenceArray<>(SUBMITTERS);
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final Tally total = new Tally();

    ShutdownRaces(long seed) {
        this.seed = seed;
    }

    /** Runs so many races, or until something goes wrong; returns what did, empty when nothing. */
    List<String> run(int races) throws InterruptedException {
        try {
            for (int i = 0; i < races && complaints.isEmpty(); i++) {
                race(i);
            }
        } finally {
            threads.shutdownNow();
            accomplice.shutdownNow();
        }
        return List.copyOf(complaints);
    }

    Tally total() {
        return total;
    }

    private static Thread thread(Runnable body) {
        Thread thread = new Thread(null, body, "race", 0, false);
        thread.setDaemon(true);
        return thread;
    }

    private void race(int number) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(Dice.of(seed, number));
        Shape[] shapes = Shape.values();
        Shape shape = shapes[random.nextInt(shapes.length)];
        End end = End.values()[random.nextInt(End.values().length)];
        Generation generation = new Generation(
                number, shape, true, random.split(), what -> complaints.add(what + "; " + end + ", seed " + seed));
        SoakTask[][] tasks = new SoakTask[SUBMITTERS][];
        List<Future<?>> submitters = new ArrayList<>();
        for (int i = 0; i < SUBMITTERS; i++) {
            int index = i;
            tasks[i] = draw(generation, random);
            submitters.add(threads.submit(() -> submitAll(index, tasks[index])));
        }
        if (random.nextBoolean()) {
            awaitAllWaiting(submitters);
        } else {
            spin(random.nextInt(LONGEST_SPIN));
        }
        boolean letGoFirst = random.nextBoolean();
        if (letGoFirst) {
            generation.letGo();
            spin(random.nextInt(LONGEST_SPIN));
        }
        end(generation, end, submitters, tasks);
        spin(random.nextInt(LONGEST_SPIN));
        generation.letGo();
        awaitAll(generation, submitters);
        total.add(generation.verifyEnd(any -> listOf(tasks)));
    }

    private static SoakTask[] draw(Generation generation, SplittableRandom random) {
        SoakTask[] tasks = new SoakTask[1 + random.nextInt(MOST_TASKS)];
        for (int i = 0; i < tasks.length; i++) {
            Route route = random.nextBoolean() ? Route.SUBMIT : Route.EXECUTE;
            int dice = random.nextInt(16);
            boolean mayNest = generation.shape().isInstrumented();
            Deed deed = dice < 6 ? Deed.HOLD : dice < 7 ? Deed.THROW : dice < 9 && mayNest ? Deed.NEST : Deed.NOTHING;
            tasks[i] = new SoakTask(generation, route, deed);
        }
        return tasks;
    }

    private void submitAll(int index, SoakTask[] tasks) {
        submitting.set(index, Thread.currentThread());
        try {
            for (SoakTask task : tasks) {
                task.submit();
            }
        } finally {
            submitting.set(index, null);
        }
    }

    /** Until every submitter waits, or has nothing left to submit; not for long, since some never wait. */
    private void awaitAllWaiting(List<Future<?>> submitters) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < LONGEST_FORCING_NANOS) {
            boolean all = true;
            for (int i = 0; i < SUBMITTERS; i++) {
                Thread thread = submitting.get(i);
                all &= submitters.get(i).isDone() || (thread != null && isWaiting(thread));
            }
            if (all) {
                return;
            }
            Thread.onSpinWait();
        }
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    private void end(Generation generation, End end, List<Future<?>> submitters, SoakTask[][] tasks)
            throws InterruptedException {
        switch (end) {
            case SHUTDOWN -> generation.pool().shutdown();
            case SHUTDOWN_NOW -> generation.shutDownNow();
            case BOTH -> {
                Future<?> other = accomplice.submit(generation.pool()::shutdown);
                generation.shutDownNow();
                awaitAll(generation, List.of(other));
            }
            case INTERRUPT_AND_SHUTDOWN -> {
                interruptAll();
                generation.pool().shutdown();
            }
            case INTERRUPT_AND_SHUTDOWN_NOW -> {
                interruptAll();
                generation.shutDownNow();
            }
            case REST_FIRST -> {
                generation.letGo();
                awaitAll(generation, submitters);
                generation.verifyAtRest(any -> listOf(tasks));
                generation.pool().shutdown();
            }
        }
    }

    private void interruptAll() {
        for (int i = 0; i < SUBMITTERS; i++) {
            Thread thread = submitting.get(i);
            if (thread != null) {
                thread.interrupt();
            }
        }
    }

    private static void awaitAll(Generation generation, List<Future<?>> threads) throws InterruptedException {
        for (Future<?> thread : threads) {
            try {
                thread.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException stuck) {
                generation.complain("a submitter does not come back" + System.lineSeparator() + Watchdog.dump());
                return;
            } catch (ExecutionException failure) {
                generation.complain("a submitter met " + failure.getCause());
            }
        }
    }

    private static List<SoakTask> listOf(SoakTask[][] tasks) {
        List<SoakTask> list = new ArrayList<>();
        Arrays.stream(tasks).flatMap(Arrays::stream).forEach(task -> {
            list.add(task);
            if (task.child() != null) {
                list.add(task.child());
            }
        });
        return list;
    }
}
