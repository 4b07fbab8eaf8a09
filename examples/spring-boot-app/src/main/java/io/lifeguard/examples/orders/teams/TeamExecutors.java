package io.lifeguard.examples.orders.teams;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Creates executors without a word of Lifeguard. None is a default candidate. Otherwise Spring Boot would not create
 * its own.
 */
@Configuration(proxyBeanMethods = false)
@Profile("teams")
class TeamExecutors {

    private static final int THREADS = 8;
    private static final int QUEUE = 64;

    @Bean(defaultCandidate = false)
    ThreadPoolTaskExecutor shipping() {
        return executor("ship-");
    }

    /** As many threads as {@code shipping}. */
    @Bean(defaultCandidate = false)
    ThreadPoolTaskExecutor mailing() {
        return executor("mail-");
    }

    /** Asks the catalogue by a {@code WebClient}. */
    @Bean(defaultCandidate = false)
    ThreadPoolTaskExecutor searching() {
        return executor("search-");
    }

    private static ThreadPoolTaskExecutor executor(String prefix) {
        ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
        executor.setCorePoolSize(THREADS);
        executor.setMaxPoolSize(THREADS);
        executor.setQueueCapacity(QUEUE);
        executor.setThreadNamePrefix(prefix);
        return executor;
    }

    @Bean(defaultCandidate = false)
    ThreadPoolTaskScheduler reporting() {
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.setThreadNamePrefix("report-");
        return scheduler;
    }

    @Bean(defaultCandidate = false)
    ScheduledExecutorService heartbeats() {
        return Executors.newScheduledThreadPool(2);
    }

    @Bean(defaultCandidate = false)
    ExecutorService pricing() {
        return Executors.newFixedThreadPool(THREADS);
    }
}
