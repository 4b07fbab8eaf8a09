package io.lifeguard.examples.readme;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.util.concurrent.*;
import java.util.concurrent.locks.LockSupport;

class Orders {
    public static void main(String[] arguments) {
        ExecutorService orders = new InstrumentedThreadPoolExecutor(
                16, 16, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(8), new ThreadPoolExecutor.CallerRunsPolicy());
        for (int order = 1; order <= 2_000; order++) {
            orders.execute(Orders::ship);
        }
        orders.shutdown();
    }

    static void ship() { // asks another service, which answers in 50 ms on average
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(100_000_000));
    }
}
