package io.lifeguard.examples.wiring;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.matcher.Matchers;
import com.google.inject.name.Named;
import com.google.inject.spi.ProvisionListener;
import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;

/** Pools of a program that Guice wires. */
final class PoolsModule extends AbstractModule {

    @Provides
    @Singleton
    @Named("orders")
    ExecutorService orders() {
        return InstrumentedExecutors.newFixedThreadPool("orders", 8);
    }

    @Provides
    @Singleton
    @Named("reports")
    ExecutorService reports() {
        return Executors.newFixedThreadPool(2); // is not replaced
    }

    @Override
    protected void configure() {
        bindListener(Matchers.any(), new WatchPools());
    }

    /** Watches every pool that Guice makes. */
    private static final class WatchPools implements ProvisionListener {
        @Override
        public <T> void onProvision(ProvisionInvocation<T> provision) {
            if (provision.provision() instanceof ThreadPoolExecutor pool
                    && provision.getBinding().getKey().getAnnotation() instanceof Named named) {
                PoolMonitor.global().watch(pool, named.value()); // an instrumented pool keeps its own name
            }
        }
    }
}
