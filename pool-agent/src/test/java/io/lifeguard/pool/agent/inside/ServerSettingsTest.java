package io.lifeguard.pool.agent.inside;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.seen.Neighbours;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pools of Jakarta servers and their settings. The names are those of Payara 6.2025.10 and WildFly 39. */
class ServerSettingsTest {

    private static final String MANAGED = "org.glassfish.enterprise.concurrent.internal.ManagedThreadPoolExecutor";

    @ParameterizedTest
    @CsvSource({
        MANAGED + ", false, concurrent/orders, resources.managed-executor-service.concurrent/orders.maximum-pool-size",
        MANAGED + ", true, concurrent/orders, resources.managed-executor-service.concurrent/orders.core-pool-size",
        MANAGED
                + ", true, EE-ManagedExecutorService-default, core-threads of /subsystem=ee/managed-executor-service=default",
        "org.glassfish.enterprise.concurrent.internal.ManagedScheduledThreadPoolExecutor, true,"
                + " EE-ManagedScheduledExecutorService-nightly,"
                + " core-threads of /subsystem=ee/managed-scheduled-executor-service=nightly",
        "org.glassfish.grizzly.threadpool.SyncThreadPool, false, http-thread-pool::http-listener,"
                + " configs.config.server-config.thread-pools.thread-pool.http-thread-pool.max-thread-pool-size",
        "org.jboss.threads.EnhancedQueueExecutor, false, default task, task-max-threads of /subsystem=io/worker=default",
    })
    void of_poolOfServer_isWhatItsAdministratorTypes(String type, boolean isCore, String pool, String size) {
        Neighbours.Setting setting = ServerSettings.of(type, isCore, pool);

        assertThat(setting).isNotNull();
        assertThat(setting.size()).isEqualTo(size);
    }

    @Test
    void of_poolOfTheUser_isUnknown() {
        assertThat(ServerSettings.of("java.util.concurrent.ThreadPoolExecutor", true, "pool-1"))
                .isNull();
        assertThat(ServerSettings.of("org.jboss.threads.EnhancedQueueExecutor", true, "XNIO-1 task"))
                .isNull();
    }
}
