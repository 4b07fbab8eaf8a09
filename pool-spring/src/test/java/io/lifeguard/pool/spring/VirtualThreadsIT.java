package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.Pools;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** What can be said when Boot starts a virtual thread for each task. */
@EnabledForJreRange(min = JRE.JAVA_21)
@ExtendWith(OutputCaptureExtension.class)
class VirtualThreadsIT {

    private static WebApplication start(String... more) {
        String[] properties = new String[more.length + 1];
        properties[0] = "spring.threads.virtual.enabled=true";
        System.arraycopy(more, 0, properties, 1, more.length);
        return WebApplication.start(Application.class, properties);
    }

    @Test
    void applicationTaskExecutor_countsAndTimesItsTasks() throws Exception {
        InstrumentedPool pool;
        try (WebApplication app = start("spring.task.execution.thread-name-prefix=light-")) {
            AsyncTaskExecutor executor = app.context.getBean("applicationTaskExecutor", AsyncTaskExecutor.class);
            assertThat(executor).isInstanceOf(SimpleAsyncTaskExecutor.class);
            pool = Pools.live().stream()
                    .filter(live -> live.name().startsWith("applicationTaskExecutor"))
                    .filter(live -> live.workers().isEmpty())
                    .findFirst()
                    .orElseThrow();

            String thread =
                    executor.submit(() -> Thread.currentThread().toString()).get(10, TimeUnit.SECONDS);

            assertThat(thread).startsWith("VirtualThread[").contains("light-");
            await().until(() -> pool.snapshot().completed() == 1);
            assertThat(pool.snapshot().serviceTime().count()).isEqualTo(1);
        }
        assertThat(Pools.live()).doesNotContain(pool);
    }

    @Test
    void requests_onVirtualThreads_areSaidToHaveNoPool(CapturedOutput output) throws Exception {
        try (WebApplication app = start()) {
            assertThat(app.get("/").statusCode()).isEqualTo(404);
            assertThat(output).contains("which is no pool: there is no queue and no number of threads to watch");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
