package io.lifeguard.pool.soak;

import io.lifeguard.pool.BlockingWaitPolicy;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.queue.WorkQueue;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The pools that are soaked: sizes, queue and policy. What is left open is drawn for each pool. */
enum Shape {
    SMALL_RING {
        @Override
        ThreadPoolExecutor make(SplittableRandom random, ThreadFactory threads) {
            return fixed(random, small(random), threads, BlockingWaitPolicy.forever());
        }
    },
    RING {
        @Override
        ThreadPoolExecutor make(SplittableRandom random, ThreadFactory threads) {
            return fixed(random, WorkQueue.bounded(1_024), threads, BlockingWaitPolicy.forever());
        }
    },
    FEED_EACH_OTHER {
        @Override
        ThreadPoolExecutor make(SplittableRandom random, ThreadFactory threads) {
            return fixed(random, small(random), threads, BlockingWaitPolicy.forever());
        }
    },
    UNBOUNDED {
        @Override
        ThreadPoolExecutor make(SplittableRandom random, ThreadFactory threads) {
            return fixed(random, WorkQueue.unbounded(), threads, BlockingWaitPolicy.forever());
        }
    },
    CORE_BELOW_MAXIMUM {
        @Override
        ThreadPoolExecutor make(SplittableRandom random, ThreadFactory threads) {
            int core = 1 + random.nextInt(2);
            return ours(
                    core, core + 1 + random.nextInt(3), random, small(random), threads, BlockingWaitPolicy.forever());
        }
    },
    NO_CORE {
        @Override
        ThreadPoolExecutor make(SplittableRandom random, ThreadFactory threads) {
            return ours(0, 1 + random.nextInt(3), random, small(random), threads, BlockingWaitPolicy.forever());
        }
    },
    CORE_TIMES_OUT {
        @Override
        ThreadPoolExecutor make(SplittableRandom random, ThreadFactory threads) {
            return timingOut(fixed(random, small(random), threads, BlockingWaitPolicy.forever()), random);
        }
    },
    HAND_OVER {
        @Override
        ThreadPoolExecutor make(SplittableRandom random, ThreadFactory threads) {
            int maximum = 1 + random.nextInt(4);
            BlockingQueue<Runnable> queue = new SynchronousQueue<>(random.nextBoolean());
            return ours(random.nextInt(maximum + 1), maximum, random, queue, threads, BlockingWaitPolicy.forever());
        }
    },
    ARRAY {
        @Override
        ThreadPoolExecutor make(SplittableRandom random, ThreadFactory threads) {
            BlockingQueue<Runnable> queue = new ArrayBlockingQueue<>(1 + random.nextInt(8));
            ThreadPoolExecutor pool = ours(random.nextInt(3), 3, random, queue, threads, BlockingWaitPolicy.forever());
            return random.nextBoolean() ? pool : timingOut(pool, random);
        }
    },
    PLAIN {
        @Override
        ThreadPoolExecutor make(SplittableRandom random, ThreadFactory threads) {
            BlockingQueue<Runnable> queue =
                    random.nextBoolean() ? new LinkedBlockingQueue<>(1 + random.nextInt(8)) : small(random);
            return new ThreadPoolExecutor(
                    random.nextInt(3),
                    3,
                    keepAlive(random),
                    TimeUnit.MICROSECONDS,
                    queue,
                    threads,
                    BlockingWaitPolicy.forever());
        }

        @Override
        boolean isInstrumented() {
            return false;
        }
    },
    IMPATIENT {
        @Override
        ThreadPoolExecutor make(SplittableRandom random, ThreadFactory threads) {
            Duration limit = Duration.ofNanos(random.nextInt(500_000));
            BlockingQueue<Runnable> queue =
                    random.nextInt(4) == 0 ? new ArrayBlockingQueue<>(1 + random.nextInt(8)) : small(random);
            return fixed(random, queue, threads, BlockingWaitPolicy.upTo(limit));
        }
    },
    CALLER_RUNS {
        @Override
        ThreadPoolExecutor make(SplittableRandom random, ThreadFactory threads) {
            return fixed(random, ourOrLinked(random), threads, new ThreadPoolExecutor.CallerRunsPolicy());
        }

        @Override
        boolean mayDropSilently() {
            return true; // after a shutdown, as in the JDK
        }
    },
    ABORT {
        @Override
        ThreadPoolExecutor make(SplittableRandom random, ThreadFactory threads) {
            return fixed(random, ourOrLinked(random), threads, new ThreadPoolExecutor.AbortPolicy());
        }
    },
    DISCARD {
        @Override
        ThreadPoolExecutor make(SplittableRandom random, ThreadFactory threads) {
            return fixed(random, ourOrLinked(random), threads, new ThreadPoolExecutor.DiscardPolicy());
        }

        @Override
        boolean mayDropSilently() {
            return true;
        }
    },
    DISCARD_OLDEST {
        @Override
        ThreadPoolExecutor make(SplittableRandom random, ThreadFactory threads) {
            return fixed(random, ourOrLinked(random), threads, new ThreadPoolExecutor.DiscardOldestPolicy());
        }

        @Override
        boolean mayDropSilently() {
            return true;
        }
    };

    abstract ThreadPoolExecutor make(SplittableRandom random, ThreadFactory threads);

    /** Whether the pool is one of ours, and not the JDK's with a policy of ours. */
    boolean isInstrumented() {
        return true;
    }

    /** Whether a submitter is not told that its task was dropped. */
    boolean mayDropSilently() {
        return false;
    }

    /** How many tasks each submitter has in a round: fewer where each of them costs a change of threads. */
    int tasksPerSubmitter() {
        return this == RING ? 8_192 : this == DISCARD || this == DISCARD_OLDEST ? 512 : 1_024;
    }

    private static ThreadPoolExecutor fixed(
            SplittableRandom random,
            BlockingQueue<Runnable> queue,
            ThreadFactory threads,
            RejectedExecutionHandler full) {
        int size = 1 + random.nextInt(4);
        return ours(size, size, random, queue, threads, full);
    }

    private static ThreadPoolExecutor ours(
            int core,
            int maximum,
            SplittableRandom random,
            BlockingQueue<Runnable> queue,
            ThreadFactory threads,
            RejectedExecutionHandler full) {
        return new InstrumentedThreadPoolExecutor(
                core, maximum, keepAlive(random), TimeUnit.MICROSECONDS, queue, threads, full);
    }

    private static ThreadPoolExecutor timingOut(ThreadPoolExecutor pool, SplittableRandom random) {
        pool.setKeepAliveTime(1 + keepAlive(random), TimeUnit.MICROSECONDS);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** In microseconds, short enough that workers leave while others submit. */
    private static long keepAlive(SplittableRandom random) {
        return random.nextBoolean() ? 0 : random.nextInt(2_000);
    }

    private static BlockingQueue<Runnable> small(SplittableRandom random) {
        return WorkQueue.bounded(1 + random.nextInt(8));
    }

    private static BlockingQueue<Runnable> ourOrLinked(SplittableRandom random) {
        int capacity = 1 << random.nextInt(11);
        return random.nextInt(3) == 0 ? new LinkedBlockingQueue<>(capacity) : WorkQueue.bounded(capacity);
    }
}
