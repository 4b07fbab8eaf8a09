package consumer;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.util.concurrent.ExecutorService;

/** A user's program on the class path. */
public final class Main {

    public static void main(String[] args) throws Exception {
        ExecutorService pool = InstrumentedExecutors.newFixedThreadPool("orders", 2);
        String said = pool.submit(() -> "gradle: " + PoolMonitor.standardRules().size() + " rules").get();
        pool.shutdown();
        System.out.println(said);
    }
}
