package io.lifeguard.pool.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Submits very many tasks to pools of all shapes from 16 threads, while sizes change, threads are interrupted, tasks
 * are cancelled and removed, tasks and thread factories fail, tasks submit to their own full pool, pools feed each
 * other, and pools are shut down and replaced; and accounts for every task exactly once.
 *
 * <p>It goes in rounds. A round begins with one pool, which may be replaced several times while the submitters are at
 * work; the last one is left open until it has come to rest. Then the books of all tasks of the round are compared with
 * what the pools say.
 *
 * <p>Known corner of the JDK, and so of instrumented pools: when {@code execute} has queued a task, finds no worker,
 * and the thread factory throws, the exception reaches the submitter although the task is in the queue and will run.
 * Such tasks, and only such, may be both reported and run; they are counted apart.
 */
public final class Soak {

    private static final int SUBMITTERS = 16;
    private static final int MOST_COMPLAINTS = 20;
    private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final long tasks;
    private final long seed;
    private final List<Submitter> submitters = new ArrayList<>();
    private final Phaser rounds = new Phaser(1);
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final Report report = new Report();

    private volatile Generation current;
    private volatile int tasksPerSubmitter;
    private volatile boolean over;
    private volatile long phase; // single writer: the controlling thread
    private int generations;

    Soak(long tasks, long seed) {
        this.tasks = tasks;
        this.seed = seed;
    }

    /**
     * Runs from the command line.
     *
     * @param args number of tasks and seed, both optional
     */
    public static void main(String[] args) throws InterruptedException {
        long tasks = args.length > 0 ? Long.parseLong(args[0].replace("_", "")) : 10_000_000;
        long seed = args.length > 1 ? Long.decode(args[1]) : System.nanoTime();
        List<String> complaints = new Soak(tasks, seed).run();
        complaints.forEach(System.err::println);
        System.exit(complaints.isEmpty() ? 0 : 1);
    }

    /** Returns what went wrong; empty when nothing did. */
    List<String> run() throws InterruptedException {
        System.out.printf("soak: %,d tasks, seed %d%n", tasks, seed);
        for (int i = 0; i < SUBMITTERS; i++) {
            submitters.add(new Submitter(this, rounds, i));
        }
        rounds.bulkRegister(SUBMITTERS);
        submitters.forEach(Thread::start);
        Thread controller = new Thread(null, this::control, "controller", 0, false);
        controller.setDaemon(true);
        controller.start();
        String stuck = Watchdog.await(controller, this::progress, STUCK_NANOS);
        if (!stuck.isEmpty()) {
            complain("nothing moves; " + current.pool() + System.lineSeparator() + stuck);
            over = true;
        }
        System.out.println(report);
        return List.copyOf(complaints);
    }

    private long progress() {
        return phase + submitters.stream().mapToLong(Submitter::steps).sum();
    }

    Report report() {
        return report;
    }

    long seed() {
        return seed;
    }

    boolean isOver() {
        return over;
    }

    Generation current() {
        return current;
    }

    int tasksPerSubmitter() {
        return tasksPerSubmitter;
    }

    void complain(String what) {
        if (complaints.size() < MOST_COMPLAINTS) {
            complaints.add(what + " (seed " + seed + ")");
        }
    }

    // ---- the controlling thread ----

    private void control() {
        SplittableRandom random = new SplittableRandom(seed);
        Mischief mischief = new Mischief(random.split(), submitters);
        Shape[] shapes = Shape.values();
        try {
            for (int round = 0; report.tasks() < tasks && complaints.isEmpty(); round++) {
                playRound(shapes[round % shapes.length], random, mischief);
            }
        } catch (Throwable failure) {
            complain("the controlling thread met " + failure + " at " + List.of(failure.getStackTrace()));
        } finally {
            over = true;
            rounds.arriveAndDeregister();
        }
    }

    private void playRound(Shape shape, SplittableRandom random, Mischief mischief) throws InterruptedException {
        long start = System.nanoTime();
        tasksPerSubmitter = (int) Math.min(shape.tasksPerSubmitter(), (tasks - report.tasks()) / SUBMITTERS + 1);
        List<Generation> generationsOfRound = new ArrayList<>();
        generationsOfRound.add(next(shape, random));
        int replacements = random.nextInt(4);
        boolean resizes = random.nextBoolean();
        rounds.arriveAndAwaitAdvance();
        while (rounds.getUnarrivedParties() > 1) {
            mischief.doOneThingTo(current, resizes);
            if (replacements > 0 && random.nextInt(16) == 0) {
                replacements--;
                Generation old = current;
                generationsOfRound.add(next(shape, random));
                mischief.end(old);
            }
            LockSupport.parkNanos(random.nextInt(300_000));
        }
        rounds.arriveAndAwaitAdvance();
        current.verifyAtRest(this::tasksOf);
        mischief.end(current);
        for (Generation generation : generationsOfRound) {
            report.add(generation, generation.verifyEnd(this::tasksOf));
            phase++;
        }
        report.add(shape, System.nanoTime() - start);
    }

    private Generation next(Shape shape, SplittableRandom random) {
        current = new Generation(generations++, shape, random.nextInt(4) != 0, random.split(), this::complain);
        phase++;
        return current;
    }

    /** All tasks of this round that were submitted to this pool, by whomever. */
    private List<SoakTask> tasksOf(Generation generation) {
        List<SoakTask> found = new ArrayList<>();
        for (Submitter submitter : submitters) {
            for (SoakTask task : submitter.tasks()) {
                for (SoakTask each = task; each != null && each.generation == generation; each = each.child()) {
                    found.add(each);
                }
            }
        }
        return found;
    }
}
