package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.text.Units;
import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.lifeguard.pool.tools.watch.JvmList.Jvm;
import io.lifeguard.pool.tools.watch.JvmList.Summary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/**
 * Takes quick looks at several JVMs side by side, so that one that hangs does not hold up the others. Used by one
 * thread.
 *
 * <p>A JVM that hangs answers no request, and a machine that is short of CPU answers late. So a JVM may take three
 * times as long as the slowest that has answered, and two seconds in any case.
 */
public final class JvmLooks {

    /** A look costs a third of a second of CPU time, most of it jcmd's, and the machine has other work. */
    private static final int AT_ONCE = 4;

    private static final Duration SHORTEST = Duration.ofSeconds(2);
    private static final int TIMES_THE_SLOWEST = 3;
    private static final long POLL_MILLIS = 20;

    private final Look look;
    private final Duration shortest;
    private final Duration longest;
    private final List<One> open = new ArrayList<>();
    private long slowest; // nanoseconds of the slowest look that has ended; 0 before that

    /** Looks at one JVM. */
    @FunctionalInterface
    interface Look {
        Summary at(long pid) throws CannotLookException, InterruptedException;
    }

    /**
     * What came of a look.
     *
     * @param summary what was seen; empty when it could not be looked at
     * @param why the reason, a sentence; empty when it was looked at
     */
    public record Looked(Jvm jvm, Optional<Summary> summary, String why) {}

    private JvmLooks(Look look, Duration shortest, Duration longest) {
        this.look = look;
        this.shortest = shortest;
        this.longest = longest;
    }

    /**
     * Looks at all.
     *
     * @param longest how long all of it may take, not null
     * @param each is told what came of each, in no particular order, by this thread; not null
     */
    public static void at(List<Jvm> jvms, Duration longest, Consumer<Looked> each) throws InterruptedException {
        new JvmLooks(JvmList::look, SHORTEST, longest).all(jvms, each);
    }

    static List<Looked> at(List<Jvm> jvms, Look look, Duration shortest, Duration longest) throws InterruptedException {
        List<Looked> looked = new ArrayList<>();
        new JvmLooks(look, shortest, longest).all(jvms, looked::add);
        return looked;
    }

    private void all(List<Jvm> jvms, Consumer<Looked> each) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE, JvmLooks::daemon);
        try {
            long begin = System.nanoTime();
            jvms.forEach(jvm -> open.add(new One(jvm)));
            open.forEach(one -> threads.execute(one.task));
            closeEnded(each, false);
            while (!open.isEmpty()) {
                Thread.sleep(POLL_MILLIS);
                closeEnded(each, System.nanoTime() - begin > longest.toNanos());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * A look that is given up is interrupted, which makes room for the next one. At the end none shall begin, so the
     * latest one goes first.
     */
    private void closeEnded(Consumer<Looked> each, boolean isOver) throws InterruptedException {
        for (int i = open.size() - 1; i >= 0; i--) {
            One one = open.get(i);
            if (one.task.isDone()) {
                slowest = Math.max(slowest, one.nanos());
                each.accept(one.result());
                open.remove(i);
            } else if (isOver || one.nanos() > patience()) {
                each.accept(one.giveUp());
                open.remove(i);
            }
        }
    }

    private long patience() {
        return slowest == 0 ? longest.toNanos() : Math.max(shortest.toNanos(), TIMES_THE_SLOWEST * slowest);
    }

    private static Thread daemon(Runnable body) {
        Thread thread = new Thread(body, "lifeguard-look");
        thread.setDaemon(true);
        return thread;
    }

    /** The look at one JVM. */
    private final class One {
        private final Jvm jvm;
        private final FutureTask<Looked> task = new FutureTask<>(this::look);

        // written once, by the thread that looks; a stale read makes the caller ask again 20 ms later
        private volatile long begun; // by System.nanoTime; 0 until it begins

        One(Jvm jvm) {
            this.jvm = jvm;
        }

        private Looked look() throws CannotLookException, InterruptedException {
            begun = System.nanoTime();
            return new Looked(jvm, Optional.of(look.at(jvm.pid())), "");
        }

        /** How long it has been looked at; 0 before that. */
        long nanos() {
            long from = begun;
            return from == 0 ? 0 : System.nanoTime() - from;
        }

        /** What came of a look that has ended. An error is thrown here, as if this thread had looked. */
        Looked result() throws InterruptedException {
            try {
                return task.get();
            } catch (ExecutionException e) {
                Throwable why = e.getCause();
                if (why instanceof Error error) {
                    throw error;
                }
                String sentence = why instanceof CannotLookException known
                        ? known.sentence()
                        : LogText.clean(String.valueOf(why));
                return new Looked(jvm, Optional.empty(), sentence);
            }
        }

        Looked giveUp() {
            long nanos = nanos();
            task.cancel(true);
            String why = nanos == 0
                    ? "the time for a list is over; name part of a name, or look at it"
                    : Units.format(
                            "process %d did not answer within %s: it hangs, or is short of CPU time",
                            jvm.pid(), Units.time(Duration.ofNanos(nanos)));
            return new Looked(jvm, Optional.empty(), why);
        }
    }
}
