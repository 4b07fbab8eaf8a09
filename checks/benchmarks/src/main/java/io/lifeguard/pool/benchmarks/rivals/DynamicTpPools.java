package io.lifeguard.pool.benchmarks.rivals;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.dromara.dynamictp.core.aware.AwareManager;
import org.dromara.dynamictp.core.executor.DtpExecutor;
import org.dromara.dynamictp.core.support.ExecutorWrapper;

/** DynamicTp's executor with its statistics switched on, as in an application. */
final class DynamicTpPools {
    private DynamicTpPools() {}

    static ExecutorService start(int workers, int queueCapacity) {
        DtpExecutor pool = new DtpExecutor(
                workers,
                workers,
                0,
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(queueCapacity),
                new PutWhenFull());
        pool.setThreadPoolName("benchmark");
        AwareManager.register(ExecutorWrapper.of(pool));
        return pool;
    }
}
