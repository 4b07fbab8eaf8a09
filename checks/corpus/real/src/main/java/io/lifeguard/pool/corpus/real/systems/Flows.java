package io.lifeguard.pool.corpus.real.systems;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.corpus.work.HttpService;
import io.lifeguard.workbench.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.CamelContext;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.util.concurrent.ThreadPoolRejectedPolicy;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.repository.support.ResourcelessJobRepository;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.batch.core.step.builder.ChunkOrientedStepBuilder;
import org.springframework.core.task.support.TaskExecutorAdapter;

/** Frameworks that hand work from step to step: Camel and Spring Batch. */
final class Flows {

    private static final int ITEMS_PER_CHUNK = 20;

    /** Eight threads can do 230 orders per second, of 34 ms on average. */
    private static final double MILLIS_BETWEEN_ORDERS = 6;

    private Flows() {}

    static List<RealSystem> all() {
        return List.of(
                RealSystem.named("camel-caller-runs", "dispatcher-runs-tasks")
                        .about("a Camel route hands messages of very different lengths to eight threads, with"
                                + " caller-runs")
                        .at("seda")
                        .cure("wait for room")
                        .forms(
                                stage -> camel(stage, ThreadPoolRejectedPolicy.CallerRuns.asRejectedExecutionHandler()),
                                stage -> camel(stage, io.lifeguard.pool.BlockingWaitPolicy.forever())),
                RealSystem.named("batch-two-threads", "blocked-on-io")
                        .about("a step of Spring Batch processes items on two threads, and each item waits for"
                                + " a service")
                        .may("queue-growing")
                        .at("BatchShop.process")
                        .cure("20 threads")
                        .forms(stage -> batch(stage, 2), stage -> batch(stage, 20)));
    }

    private static void camel(Stage stage, RejectedExecutionHandler whenFull) throws Exception {
        CamelContext context = stage.keep(new DefaultCamelContext());
        CamelShop shop = new CamelShop(stage, HttpService.start(64));
        InstrumentedThreadPoolExecutor threads = InstrumentedThreadPoolExecutor.named("camel")
                .size(8)
                .queueCapacity(4)
                .whenSaturated(whenFull)
                .build();
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("seda:orders?size=100").threads().executorService(threads).process(exchange -> shop.order());
            }
        });
        context.start();
        ProducerTemplate producer = stage.keep(context.createProducerTemplate());
        stage.loop("producer", () -> {
            producer.sendBody("seda:orders?size=100&blockWhenFull=true", "order");
            Waiting.millis(MILLIS_BETWEEN_ORDERS);
        });
    }

    private static void batch(Stage stage, int threads) {
        InstrumentedThreadPoolExecutor pool = stage.keep(
                InstrumentedThreadPoolExecutor.named("batch").size(threads).build());
        BatchShop shop = new BatchShop(stage, HttpService.start(64));
        JobRepository jobs = stage.keep(new ResourcelessJobRepository());
        stage.loop("job", () -> {
            AtomicInteger items = new AtomicInteger();
            Step step = new ChunkOrientedStepBuilder<Integer, Integer>("orders", jobs, ITEMS_PER_CHUNK)
                    .reader(() -> items.incrementAndGet() < 1_000_000 ? items.get() : null)
                    .processor(shop::process)
                    .writer(chunk -> {})
                    .taskExecutor(new TaskExecutorAdapter(pool))
                    .build();
            JobExecution job = new JobExecution(
                    1, new org.springframework.batch.core.job.JobInstance(1, "night"), new JobParameters());
            step.execute(new StepExecution(1, "orders", job));
        });
    }

    /** A processor of Camel. */
    private static final class CamelShop {
        private final Stage stage;
        private final HttpService service;
        private final AtomicInteger orders = new AtomicInteger();

        CamelShop(Stage stage, HttpService service) {
            this.stage = stage;
            this.service = service;
        }

        void order() throws IOException {
            int millis = orders.incrementAndGet() % 10 == 0 ? 250 : 10;
            try (InputStream answer = service.url(millis).openStream()) {
                answer.readAllBytes();
            }
            stage.countDone();
        }
    }

    /** A processor of Spring Batch. */
    private static final class BatchShop {
        private final Stage stage;
        private final HttpService service;

        BatchShop(Stage stage, HttpService service) {
            this.stage = stage;
            this.service = service;
        }

        Integer process(Integer item) throws IOException {
            try (InputStream answer = service.url(25).openStream()) {
                answer.readAllBytes();
            }
            stage.countDone();
            return item;
        }
    }
}
