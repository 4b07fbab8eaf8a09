package consumer;

import io.lifeguard.pool.Pools;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.task.AsyncTaskExecutor;

/** A user's Spring Boot application. One dependency, no code of the pool's: Boot's own executor is instrumented. */
@SpringBootApplication
public class Main {

    public static void main(String[] args) throws InterruptedException {
        try (ConfigurableApplicationContext context = SpringApplication.run(Main.class, args)) {
            CountDownLatch ran = new CountDownLatch(1);
            context.getBean("applicationTaskExecutor", AsyncTaskExecutor.class).execute(ran::countDown);
            if (!ran.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("the task did not run");
            }
            if (Pools.live().stream().noneMatch(pool -> pool.name().equals("applicationTaskExecutor"))) {
                throw new AssertionError("Boot's executor is not instrumented: " + Pools.live());
            }
            System.out.println("boot: applicationTaskExecutor is instrumented");
        }
    }
}
