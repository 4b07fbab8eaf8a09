package io.lifeguard.examples.orders.sickness;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** The one pool that is the application's own work; all others are declared in {@code application-clinic.yaml}. */
@Configuration(proxyBeanMethods = false)
@Profile("clinic")
class ClinicPools {

    private static final int CORE = 2;
    private static final int MAXIMUM = 16;

    /** Not a default candidate, or Spring Boot's own executor would step back, and whatever is asynchronous would run here. */
    @Bean(defaultCandidate = false)
    ThreadPoolTaskExecutor exports() {
        ThreadPoolTaskExecutor pool = new ThreadPoolTaskExecutor();
        pool.setCorePoolSize(CORE);
        pool.setMaxPoolSize(MAXIMUM);
        return pool;
    }
}
