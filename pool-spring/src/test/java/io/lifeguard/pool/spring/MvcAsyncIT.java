package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** MVC's asynchronous requests run on the instrumented pool. */
class MvcAsyncIT {

    @Test
    void callableAndStream_runOnTheInstrumentedPool() throws Exception {
        try (WebApplication app = WebApplication.start(Application.class)) {
            assertThat(app.get("/callable").body()).startsWith("task-");
            assertThat(app.get("/stream").body()).startsWith("task-");

            InstrumentedThreadPoolExecutor pool = (InstrumentedThreadPoolExecutor) app.context
                    .getBean("applicationTaskExecutor", ThreadPoolTaskExecutor.class)
                    .getThreadPoolExecutor();
            await().untilAsserted(() -> assertThat(pool.snapshot().completed()).isEqualTo(2));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Application {
        @GetMapping("/callable")
        Callable<String> callable() {
            return () -> Thread.currentThread().getName();
        }

        @GetMapping("/stream")
        StreamingResponseBody stream() {
            return out -> out.write(Thread.currentThread().getName().getBytes());
        }
    }
}
