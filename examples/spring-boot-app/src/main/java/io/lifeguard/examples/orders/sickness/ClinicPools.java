package io.lifeguard.examples.orders.sickness;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** Creates the only pool that is a bean of the application. {@code application-clinic.yaml} declares all others. */
@Configuration(proxyBeanMethods = false)
@Profile("clinic")
class ClinicPools {

    private static final int CORE = 2;
    private static final int MAXIMUM = 16;

    /**
     * Not a default candidate. Otherwise Spring Boot would not create its own executor, and all asynchronous methods
     * would run here.
     */
    @Bean(defaultCandidate = false)
    ThreadPoolTaskExecutor exports() {
        ThreadPoolTaskExecutor pool = new ThreadPoolTaskExecutor();
        pool.setCorePoolSize(CORE);
        pool.setMaxPoolSize(MAXIMUM);
        return pool;
    }
}
