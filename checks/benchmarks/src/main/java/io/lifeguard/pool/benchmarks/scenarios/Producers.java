package io.lifeguard.pool.benchmarks.scenarios;

import io.lifeguard.pool.benchmarks.scenarios.Producer.Stretch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Some producers that submit at the same time, each in a thread of its own. Used by one thread. */
final class Producers {
    private final List<Producer> producers = new ArrayList<>();

    /**
     * Creates the producers.
     *
     * @param producer makes one of them
     */
    Producers(int number, Supplier<Producer> producer) {
        for (int i = 0; i < number; i++) {
            producers.add(producer.get());
        }
    }

    /** Submits for this time, and until the last task has started. The first producer is the calling thread. */
    Stretch run(long nanos) {
        long start = System.nanoTime();
        List<CompletableFuture<Stretch>> others = producers.subList(1, producers.size()).stream()
                .map(each -> inThread(each, nanos))
                .toList();
        long tasks = producers.get(0).run(nanos, Long.MAX_VALUE).tasks();
        for (CompletableFuture<Stretch> other : others) {
            tasks += other.join().tasks();
        }
        return new Stretch(tasks, System.nanoTime() - start);
    }

    private static CompletableFuture<Stretch> inThread(Producer producer, long nanos) {
        CompletableFuture<Stretch> stretch = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        stretch.complete(producer.run(nanos, Long.MAX_VALUE));
                    } catch (RuntimeException | Error e) {
                        stretch.completeExceptionally(e);
                    }
                })
                .start();
        return stretch;
    }
}
