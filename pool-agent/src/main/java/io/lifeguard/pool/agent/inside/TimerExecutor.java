package io.lifeguard.pool.agent.inside;

import io.lifeguard.pool.diagnosis.external.PoolGauges;
import io.lifeguard.pool.diagnosis.external.PoolReader;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import java.util.TimerTask;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A {@link java.util.Timer} as an executor of one thread, read from that thread's fields, which are the same in Java 17
 * to 25. Immutable; holds the thread weakly.
 *
 * <p>A task waits for the thread when its time has come. A periodic task that runs is in the queue already, for its
 * next run. It holds up nothing but itself, and may be meant to run on and on. So its own next run counts only after
 * ten minutes, as for {@code stuck-task}. It is known by the class of the task: of several periodic tasks of that
 * class, one is taken for it.
 *
 * <p>The timer's lock is not taken, so a look may miss a task that comes or goes.
 */
final class TimerExecutor implements Executor {

    private static final String THREAD = "java.util.TimerThread";
    private static final long OWN_PATIENCE_MILLIS = 600_000;

    /** A look goes through the queue up to here. */
    private static final int MOST_QUEUED = 1_000;

    private static final @Nullable Field NEXT = ThreadTask.field(TimerTask.class, "nextExecutionTime");
    private static final @Nullable Field PERIOD = ThreadTask.field(TimerTask.class, "period");
    private static final @Nullable Field STATE = ThreadTask.field(TimerTask.class, "state");

    /** Such a task stays in the queue until its time has come. */
    private static final int CANCELLED = 3;

    private final WeakReference<Thread> thread;

    private TimerExecutor(Thread thread) {
        this.thread = new WeakReference<>(thread);
    }

    /** {@return the timer whose thread this is; null if it is no timer's} */
    static @Nullable TimerExecutor of(Thread thread) {
        return thread.getClass().getName().equals(THREAD) ? new TimerExecutor(thread) : null;
    }

    @Override
    public void execute(Runnable task) {
        throw new UnsupportedOperationException("a timer is only looked at");
    }

    /** What a timer did at one look: the task that ran, and how many others were due, since when. */
    private static final class Look {
        private final long now = System.currentTimeMillis(); // the clock of timers
        private final @Nullable String running; // the class of its run method; null if the thread waits for its time
        private boolean hasSeenOwn;
        private int due;
        private long lateMillis;

        Look(Thread thread) throws IllegalAccessException {
            running = running(thread.getStackTrace());
            Object queue = read(ThreadTask.field(thread.getClass(), "queue"), thread);
            Object tasks = queue == null ? null : read(ThreadTask.field(queue.getClass(), "queue"), queue);
            if (NEXT != null && PERIOD != null && tasks instanceof TimerTask[] heap) {
                for (int i = 1; i < heap.length && i <= MOST_QUEUED; i++) { // the head is at 1
                    TimerTask task = heap[i]; // the timer's thread may take it away meanwhile
                    if (task == null) {
                        break;
                    }
                    if (STATE == null || STATE.getInt(task) != CANCELLED) {
                        add(task, NEXT.getLong(task), PERIOD.getLong(task) != 0);
                    }
                }
            }
        }

        private static @Nullable Object read(@Nullable Field field, Object of) throws IllegalAccessException {
            return field == null ? null : field.get(of);
        }

        private static @Nullable String running(StackTraceElement[] stack) {
            String above = "";
            for (StackTraceElement frame : stack) {
                if (frame.getClassName().equals(THREAD)) {
                    return above.equals("java.lang.Object") ? null : above;
                }
                above = frame.getClassName();
            }
            return null; // it has just been started, or ended
        }

        private void add(TimerTask task, long time, boolean isPeriodic) {
            long late = now - time;
            if (late < 0) {
                return;
            }
            boolean isOwn = !hasSeenOwn && isPeriodic && isRunning(task);
            hasSeenOwn |= isOwn;
            if (!isOwn || late >= OWN_PATIENCE_MILLIS) {
                due++;
                lateMillis = Math.max(lateMillis, late);
            }
        }

        private boolean isRunning(TimerTask task) {
            for (Class<?> type = task.getClass(); type != null; type = type.getSuperclass()) {
                if (type.getName().equals(running)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Reads timers. Stateless. */
    static final class Reader implements PoolReader<TimerExecutor> {

        @Override
        public PoolGauges read(TimerExecutor timer) {
            Look look = look(timer);
            int active = look == null || look.running == null ? 0 : 1;
            return new PoolGauges(1, active, look == null ? 0 : look.due, PoolGauges.UNKNOWN, 1, 1, Integer.MAX_VALUE);
        }

        @Override
        public Duration lateness(TimerExecutor timer) {
            Look look = look(timer);
            return look == null ? Duration.ZERO : Duration.ofMillis(look.lateMillis);
        }

        private static @Nullable Look look(TimerExecutor timer) {
            Thread thread = timer.thread.get();
            try {
                return thread == null ? null : new Look(thread);
            } catch (IllegalAccessException ignored) { // they were made accessible
                return null;
            }
        }

        @Override
        public List<Thread> workers(TimerExecutor timer) {
            Thread thread = timer.thread.get();
            return thread == null ? List.of() : List.of(thread);
        }

        @Override
        public boolean isTerminated(TimerExecutor timer) {
            Thread thread = timer.thread.get();
            return thread == null || !thread.isAlive();
        }
    }
}
