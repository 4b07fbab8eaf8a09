package io.lifeguard.pool.soak;

import io.lifeguard.pool.soak.SoakTask.Deed;
import io.lifeguard.pool.soak.SoakTask.Route;
import java.util.SplittableRandom;
import java.util.concurrent.Phaser;

/** One of the threads that submit. Each round it submits a number of tasks to whatever pool is current. */
final class Submitter extends Thread {

    private final Soak soak;
    private final Phaser rounds;
    private final int number;
    private SoakTask[] tasks = {};
    private volatile long steps; // single writer: this thread

    Submitter(Soak soak, Phaser rounds, int number) {
        super(null, null, "submitter-" + number, 0, false);
        setDaemon(true);
        this.soak = soak;
        this.rounds = rounds;
        this.number = number;
    }

    /** How far it has come; grows while it lives. */
    long steps() {
        return steps;
    }

    /** What it submitted in the round that has ended. */
    SoakTask[] tasks() {
        return tasks;
    }

    @Override
    public void run() {
        for (long round = 0; ; round++) {
            rounds.arriveAndAwaitAdvance();
            if (soak.isOver()) {
                return;
            }
            try {
                submitAll(new SplittableRandom(Dice.of(soak.seed() + number, round)), soak.tasksPerSubmitter());
            } catch (Throwable failure) {
                soak.complain(getName() + " met " + failure);
            }
            Thread.interrupted();
            rounds.arriveAndAwaitAdvance();
        }
    }

    @SuppressWarnings({"ThreadPriorityCheck", "NonAtomicVolatileUpdate"})
    private void submitAll(SplittableRandom random, int count) {
        tasks = new SoakTask[count];
        for (int i = 0; i < count; i++) {
            SoakTask task = next(random, soak.current());
            tasks[i] = task;
            task.submit();
            steps++;
            meddle(random, i);
            if (task.count(SoakTask.REJECTED) > 0) {
                Thread.yield();
            }
        }
    }

    private static SoakTask next(SplittableRandom random, Generation generation) {
        Route route = random.nextInt(4) == 0 ? Route.SUBMIT : Route.EXECUTE;
        int dice = random.nextInt(2_048);
        Shape shape = generation.shape();
        if (shape == Shape.FEED_EACH_OTHER && random.nextBoolean()) {
            return new SoakTask(generation, route, Deed.RELAY);
        }
        Deed deed = dice < 8
                ? Deed.THROW
                : dice < 10
                        ? Deed.SLEEP
                        : dice < 40 && shape.isInstrumented() ? Deed.NEST : dice < 512 ? Deed.SPIN : Deed.NOTHING;
        return new SoakTask(generation, route, deed, deed == Deed.NEST ? further(random, shape) : 0);
    }

    /** If each ran inside the one before, the longest would overflow the stack, as the JDK's caller-runs does. */
    private static int further(SplittableRandom random, Shape shape) {
        return random.nextInt(128) == 0 && shape != Shape.CALLER_RUNS ? 2_000 : random.nextInt(4);
    }

    /**
     * Cancels or removes one of its own tasks of late, purges the queue, drops an interrupt that came between two
     * calls.
     */
    private void meddle(SplittableRandom random, int last) {
        int dice = random.nextInt(1_024);
        SoakTask task = tasks[Math.max(0, last - random.nextInt(8))];
        if (dice < 16) {
            task.cancel(random.nextBoolean());
        } else if (dice < 24) {
            task.remove();
        } else if (dice < 25) {
            task.generation.pool().purge();
        } else if (dice < 128) {
            Thread.interrupted();
        }
    }
}
