import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Uses a pool, of which seven workers wait for a lock, in a runtime that may lack modules. */
final class SmallRuntime {

    private static final Object LOCK = new Object();

    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = InstrumentedExecutors.newFixedThreadPool("small", 8);
        CountDownLatch done = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            pool.execute(done::countDown);
        }
        System.out.println("all tasks ran: " + done.await(20, TimeUnit.SECONDS));
        for (int i = 0; i < 2_000; i++) {
            pool.execute(() -> {
                synchronized (LOCK) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
                }
            });
        }
        System.out.println("size " + ((InstrumentedPool) pool).snapshot().size());
        System.out.println("monitor: " + monitor());
        System.exit(0);
    }

    private static String monitor() throws InterruptedException {
        for (int i = 0; i < 600; i++) {
            try {
                for (Finding finding : PoolMonitor.global().findings()) {
                    return finding.id();
                }
            } catch (IllegalStateException | LinkageError e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                return String.valueOf(cause.getMessage());
            }
            Thread.sleep(100);
        }
        return "nothing found";
    }
}
