package consumer;

import io.lifeguard.pool.BlockingWaitPolicy;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A user's program on the module path, where what the pool's module does not ask for is not there. */
public final class Main {

    private static final int TASKS = 1_000;

    public static void main(String[] args) throws InterruptedException {
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("orders")
                .size(2)
                .queueCapacity(10)
                .whenSaturated(BlockingWaitPolicy.forever())
                .build();
        for (int i = 0; i < TASKS; i++) {
            pool.execute(Thread::onSpinWait);
        }
        pool.shutdown();
        if (!pool.awaitTermination(30, TimeUnit.SECONDS)) {
            throw new AssertionError("not terminated: " + pool);
        }
        System.out.println(pool.snapshot());
        expect(TASKS, pool.snapshot().completed());
        expect(List.of("created orders", "terminated orders"), Witness.TOLD);
    }

    private static void expect(Object expected, Object actual) {
        if (!expected.toString().equals(actual.toString())) {
            throw new AssertionError("expected " + expected + ", was " + actual);
        }
    }
}
