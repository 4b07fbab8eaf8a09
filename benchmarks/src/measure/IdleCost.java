import com.sun.management.OperatingSystemMXBean;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The CPU time of a JVM in which 50 workers wait for tasks that do not come. Ten times 5 s, after 20 s.
 *
 * <pre>
 * java -cp benchmarks/target/benchmarks.jar benchmarks/src/measure/IdleCost.java plain|lifeguard
 * </pre>
 */
public final class IdleCost {

    private static final int WORKERS = 50;

    private IdleCost() {}

    public static void main(String[] arguments) throws InterruptedException {
        boolean isPlain = arguments[0].equals("plain");
        ThreadPoolExecutor pool = isPlain
                ? new ThreadPoolExecutor(WORKERS, WORKERS, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>())
                : InstrumentedThreadPoolExecutor.named("idle").size(WORKERS).build();
        pool.prestartAllCoreThreads();
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Thread.sleep(20_000);
        double[] millis = new double[10];
        for (int i = 0; i < millis.length; i++) {
            long before = system.getProcessCpuTime();
            Thread.sleep(5_000);
            millis[i] = (system.getProcessCpuTime() - before) / 1e6;
        }
        Arrays.sort(millis);
        System.out.printf(
                Locale.ROOT,
                "Java %s, %s: CPU in 5 s: median %.0f ms (%.0f to %.0f)%n",
                System.getProperty("java.version"),
                arguments[0],
                (millis[4] + millis[5]) / 2,
                millis[0],
                millis[9]);
        pool.shutdownNow();
    }
}
