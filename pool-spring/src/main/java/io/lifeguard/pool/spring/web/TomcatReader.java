package io.lifeguard.pool.spring.web;

import io.lifeguard.pool.diagnosis.external.PoolGauges;
import java.util.concurrent.Executor;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.springframework.util.ClassUtils;

/** Reads Tomcat's request pool, whose class is a copy of the JDK's. Thread-safe. */
final class TomcatReader extends ServerPoolReader {

    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.apache.tomcat.util.threads.ThreadPoolExecutor", TomcatReader.class.getClassLoader());

    TomcatReader(String threadPrefix) {
        super(threadPrefix);
    }

    static boolean canRead(Executor executor) {
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
