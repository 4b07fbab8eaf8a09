package io.lifeguard.examples.stories;

import io.lifeguard.pool.BlockingWaitPolicy;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;

/** A dispatcher that runs tasks while the workers are idle, because the pool was full a moment ago. */
public final class DispatcherStory extends Story {

    private static final String ID = "dispatcher-runs-tasks";
    private static final int WORKERS = 16;
    private static final int QUEUE = 8;
    private static final Duration CALL = Duration.ofMillis(20);

    /** Creates the story. */
    public DispatcherStory() {
        super("story-dispatcher", "a dispatcher that runs tasks itself, against one that waits");
    }

    @Override
    boolean tell(Stage stage, Options options) throws IOException, InterruptedException {
        Duration length = options.secondsOr(8);
        Duration call = options.callOr(CALL);
        stage.title(
                "The dispatcher that ran the workers' tasks",
                WORKERS + " workers and a queue of " + QUEUE
                        + ". Each task hashes 64 KiB and asks a service on loopback, which answers in about "
                        + call.toMillis() + " ms (lognormal).",
                "At first the dispatcher runs the task itself when the pool is full. Then the dispatcher waits"
                        + " instead.");
        Hashing hashing = new Hashing(64 * 1_024);
        try (RemoteService service = RemoteService.start();
                RemoteClient client = service.client()) {
            Runnable task = () -> {
                hashing.run();
                client.call(Delay.around(call));
            };
            Act before = stage.feed("caller-runs", pool(new ThreadPoolExecutor.CallerRunsPolicy()), length, task);
            stage.tell("before", before);
            Optional<Finding> finding = before.finding(ID);
            stage.tell(finding, ID);
            stage.cureBegins();
            Act after = stage.feed("waiting", pool(BlockingWaitPolicy.forever()), length, task);
            stage.tell("after", after);
            String predicted = finding.map(found -> found.evidence().get("gain"))
                    .map(gain -> String.format(Locale.ROOT, "%.2f×", ((Number) gain).doubleValue()))
                    .orElse("unknown");
            stage.told(
                    "ratio",
                    String.format(
                            Locale.ROOT, "%.2f× by waiting; predicted: %s", after.rate() / before.rate(), predicted));
            return finding.isPresent();
        }
    }

    private static InstrumentedThreadPoolExecutor pool(RejectedExecutionHandler whenSaturated) {
        return InstrumentedThreadPoolExecutor.named("workers")
                .size(WORKERS)
                .queueCapacity(QUEUE)
                .whenSaturated(whenSaturated)
                .build();
    }
}
