package io.lifeguard.pool.corpus.sizing;

import io.lifeguard.pool.corpus.work.Compressing;
import io.lifeguard.pool.corpus.work.Database;
import io.lifeguard.pool.corpus.work.HttpService;
import io.lifeguard.pool.corpus.work.Randomness;
import io.lifeguard.pool.corpus.work.Service;
import io.lifeguard.pool.corpus.work.TextFile;
import io.lifeguard.workbench.Hashing;
import io.lifeguard.workbench.Waiting;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A kind of task with which a pool is swept over sizes. The pool never runs out of tasks. Immutable.
 *
 * <p>A read that times out stands for a call to a distant service, because no CPU of this machine is used while a task
 * waits for one. A service on loopback would share the CPUs that the pool is sized for, with its own threads.
 * {@code service-in-process} is that case.
 *
 * @param name the name, unique
 * @param about what one task does
 * @param quick whether it belongs to the representative part
 * @param smallest the smallest size to look at
 * @param largest the largest size to look at
 * @param opener prepares what the task needs, and returns the task
 */
public record SizingWorkload(
        String name, String about, boolean quick, int smallest, int largest, Supplier<Runnable> opener) {

    private static final int[] GRID = {1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512};

    private static final List<SizingWorkload> ALL = List.of(
            new SizingWorkload(
                    "hash-and-call",
                    "0.56 ms of hashing, a call on loopback over a distance of 4 ms",
                    true,
                    1,
                    96,
                    () -> {
                        Service service = Service.unlimited();
                        return () -> {
                            Hashing.micros(560);
                            Waiting.call(4);
                            service.call(0);
                        };
                    }),
            new SizingWorkload(
                    "service-in-process",
                    "0.56 ms of hashing, a call of 4.5 ms to a service whose threads share these CPUs",
                    false,
                    1,
                    96,
                    () -> {
                        Service service = Service.unlimited();
                        return () -> {
                            Hashing.micros(560);
                            service.call(4.5);
                        };
                    }),
            new SizingWorkload(
                    "lognormal",
                    "the same on average, but of very different lengths, and the service far away",
                    false,
                    1,
                    96,
                    () -> () -> {
                        Hashing.micros(Randomness.lognormal(560, 0.8));
                        Waiting.call((int) Math.ceil(Randomness.lognormal(4, 1.2)));
                    }),
            new SizingWorkload("hash-only", "1 ms of hashing", false, 1, 32, () -> () -> Hashing.micros(1_000)),
            new SizingWorkload(
                    "compress-and-http",
                    "compresses 32 KiB, an HTTP call on loopback over a distance of 8 ms",
                    false,
                    1,
                    96,
                    () -> {
                        HttpService service = HttpService.start(128);
                        return () -> {
                            Compressing.deflate(32 * 1024);
                            Waiting.call(8);
                            service.get(0);
                        };
                    }),
            new SizingWorkload("database", "a query of 5 ms, with connections enough", false, 1, 96, () -> {
                Database database = Database.open(128);
                return () -> {
                    database.findFar(5);
                    Hashing.micros(400);
                };
            }),
            new SizingWorkload(
                    "two-kinds",
                    "nine short requests, and then a report that computes for 4 ms",
                    false,
                    1,
                    64,
                    () -> () -> {
                        Hashing.micros(Randomness.chance(0.1) ? 4_000 : 200);
                        Waiting.call(2);
                    }),
            new SizingWorkload("mostly-waiting", "0.2 ms of hashing, a call of 15 ms", false, 8, 512, () -> () -> {
                Hashing.micros(200);
                Waiting.call(15);
            }),
            new SizingWorkload(
                    "under-a-lock",
                    "0.2 ms of hashing, a call of 3 ms, and 0.4 ms under one lock",
                    false,
                    1,
                    48,
                    () -> {
                        ReentrantLock lock = new ReentrantLock();
                        return () -> {
                            Hashing.micros(200);
                            Waiting.call(3);
                            lock.lock();
                            try {
                                Hashing.micros(400);
                            } finally {
                                lock.unlock();
                            }
                        };
                    }),
            new SizingWorkload(
                    "files", "reads 256 KiB from the page cache, hashes, a call of 2 ms", false, 1, 48, () -> {
                        TextFile file = TextFile.create();
                        return () -> {
                            file.read(4);
                            Hashing.micros(300);
                            Waiting.call(2);
                        };
                    }),
            new SizingWorkload("sorting", "sorts 10,000 numbers, a call of 2 ms", false, 1, 48, () -> () -> {
                Arrays.sort(ThreadLocalRandom.current().ints(10_000).toArray());
                Waiting.call(2);
            }),
            new SizingWorkload(
                    "four-connections",
                    "0.3 ms of hashing, a call of 3 ms, a query of 4 ms over one of four connections",
                    false,
                    1,
                    48,
                    () -> {
                        Database database = Database.open(4);
                        return () -> {
                            Hashing.micros(300);
                            Waiting.call(3);
                            database.findFar(4);
                        };
                    }));

    /** All workloads, in the order in which they are swept: these, and those of other modules. */
    public static List<SizingWorkload> all() {
        return Stream.concat(
                        ALL.stream(),
                        ServiceLoader.load(Source.class).stream().flatMap(source -> source.get().workloads().stream()))
                .toList();
    }

    /** The workload of that name. */
    static Optional<SizingWorkload> named(String name) {
        return all().stream().filter(workload -> workload.name().equals(name)).findFirst();
    }

    /** The sizes to sweep. */
    List<Integer> sizes() {
        return Arrays.stream(GRID)
                .filter(size -> size >= smallest && size <= largest)
                .boxed()
                .toList();
    }

    /** The swept size next to this one, in proportion. */
    int swept(double size) {
        int nearest = smallest;
        for (int candidate : sizes()) {
            if (Math.abs(Math.log(candidate / size)) < Math.abs(Math.log(nearest / size))) {
                nearest = candidate;
            }
        }
        return nearest;
    }

    /** A module with workloads of its own, found by {@link ServiceLoader}. */
    public interface Source {
        List<SizingWorkload> workloads();
    }
}
