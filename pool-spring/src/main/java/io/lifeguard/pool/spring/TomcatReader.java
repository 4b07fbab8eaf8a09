package io.lifeguard.pool.spring;

import io.lifeguard.pool.diagnosis.external.PoolGauges;
import java.util.concurrent.Executor;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.springframework.util.ClassUtils;

/** Reads Tomcat's request pool, which is a copy of the JDK's class. Thread-safe. */
final class TomcatReader extends WebServerPools.ByName {

    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.apache.tomcat.util.threads.ThreadPoolExecutor", TomcatReader.class.getClassLoader());

    TomcatReader(String threadPrefix) {
        super(threadPrefix);
    }

    static boolean isTomcats(Executor executor) {
        return PRESENT && executor instanceof ThreadPoolExecutor;
    }

    @Override
    public PoolGauges read(Executor executor) {
        ThreadPoolExecutor pool = (ThreadPoolExecutor) executor;
        return new PoolGauges(
                pool.getPoolSize(),
                pool.getActiveCount(),
                pool.getQueue().size(),
                pool.getCompletedTaskCount(),
                pool.getCorePoolSize(),
                pool.getMaximumPoolSize(),
                pool.getQueue().remainingCapacity());
    }
}
