package io.lifeguard.examples.orders.sickness;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.CallerRunsPolicy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** Pools. */
@Configuration(proxyBeanMethods = false)
@Profile("clinic")
class ClinicPools {

    @Bean(defaultCandidate = false, destroyMethod = "shutdown")
    InstrumentedThreadPoolExecutor thumbnails() {
        return callerRuns("thumbnails", 16, 4);
    }

    @Bean(defaultCandidate = false, destroyMethod = "shutdown")
    InstrumentedThreadPoolExecutor gateway() {
        return callerRuns("gateway", 4, 4);
    }

    @Bean(defaultCandidate = false)
    ThreadPoolTaskExecutor exports() {
        ThreadPoolTaskExecutor pool = new ThreadPoolTaskExecutor();
        pool.setCorePoolSize(2);
        pool.setMaxPoolSize(16);
        return pool;
    }

    @Bean(defaultCandidate = false, destroyMethod = "shutdown")
    InstrumentedThreadPoolExecutor checksums() {
        return pool("checksums", 32, 64);
    }

    @Bean(defaultCandidate = false, destroyMethod = "shutdown")
    InstrumentedThreadPoolExecutor prices() {
        return pool("prices", 4, 64);
    }

    @Bean(defaultCandidate = false, destroyMethod = "shutdown")
    InstrumentedThreadPoolExecutor reports() {
        return pool("reports", 16, 1000);
    }

    @Bean(defaultCandidate = false, destroyMethod = "shutdown")
    InstrumentedThreadPoolExecutor catalogue() {
        return pool("catalogue", 40, 64);
    }

    @Bean(defaultCandidate = false, destroyMethod = "shutdown")
    InstrumentedThreadPoolExecutor imports() {
        return pool("imports", 4, 1000);
    }

    @Bean(defaultCandidate = false, destroyMethod = "shutdown")
    InstrumentedThreadPoolExecutor calls() {
        return pool("calls", 8, 64);
    }

    @Bean(defaultCandidate = false, destroyMethod = "shutdown")
    InstrumentedThreadPoolExecutor mails() {
        return pool("mails", 2, 100000);
    }

    @Bean(defaultCandidate = false, destroyMethod = "shutdown")
    InstrumentedThreadPoolExecutor ledger() {
        return pool("ledger", 16, 64);
    }

    @Bean(defaultCandidate = false, destroyMethod = "shutdown")
    InstrumentedThreadPoolExecutor archive() {
        return pool("archive", 2, 64);
    }

    @Bean(defaultCandidate = false, destroyMethod = "shutdown")
    InstrumentedThreadPoolExecutor search() {
        return pool("search", 64, 64);
    }

    @Bean(defaultCandidate = false, destroyMethod = "shutdown")
    InstrumentedThreadPoolExecutor newsletters() {
        return pool("newsletters", 2, 1000);
    }

    private static InstrumentedThreadPoolExecutor callerRuns(String name, int size, int queue) {
        return InstrumentedThreadPoolExecutor.named(name)
                .size(size)
                .queueCapacity(queue)
                .whenSaturated(new CallerRunsPolicy())
                .build();
    }

    private static InstrumentedThreadPoolExecutor pool(String name, int size, int queue) {
        return InstrumentedThreadPoolExecutor.named(name)
                .size(size)
                .queueCapacity(queue)
                .build();
    }
}
