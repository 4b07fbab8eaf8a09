package io.lifeguard.pool.soak;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** What the controlling thread does to a pool in use. Not thread-safe. */
final class Mischief {

    private static final int LARGEST = 6;

    private final SplittableRandom random;
    private final List<Submitter> submitters;

    Mischief(SplittableRandom random, List<Submitter> submitters) {
        this.random = random;
        this.submitters = submitters;
    }

    /**
     * Resizes are optional, since they make waiting submitters look again, which could hide that they were not woken
     * before.
     */
    void doOneThingTo(Generation generation, boolean resizes) {
        ThreadPoolExecutor pool = generation.pool();
        int dice = random.nextInt(100);
        try {
            if (dice < 30 && resizes) {
                resize(pool);
            } else if (dice < 50) {
                submitters.get(random.nextInt(submitters.size())).interrupt();
            } else if (dice < 70) {
                generation.threads().interruptOne(dice);
            } else if (dice < 75) {
                pool.purge();
            } else if (dice < 80) {
                pool.setKeepAliveTime(1 + random.nextInt(1_000), TimeUnit.MICROSECONDS);
                pool.allowCoreThreadTimeOut(random.nextBoolean());
            } else if (dice < 85 && resizes) {
                pool.prestartCoreThread();
            } else {
                generation.poll();
            }
        } catch (Pretended.Failure | Pretended.OutOfMemory factoryFailed) {
            // as it should: it reaches whoever asked for threads
        }
    }

    private void resize(ThreadPoolExecutor pool) {
        int maximum = 1 + random.nextInt(LARGEST);
        int core = random.nextInt(maximum + 1);
        if (maximum >= pool.getCorePoolSize()) {
            pool.setMaximumPoolSize(maximum);
            pool.setCorePoolSize(core);
        } else {
            pool.setCorePoolSize(core);
            pool.setMaximumPoolSize(maximum);
        }
    }

    /** Shuts the pool down in one of several ways. */
    void end(Generation generation) {
        switch (random.nextInt(4)) {
            case 0 -> generation.shutDownNow();
            case 1 -> {
                generation.pool().shutdown();
                generation.shutDownNow();
            }
            default -> generation.pool().shutdown();
        }
    }
}
