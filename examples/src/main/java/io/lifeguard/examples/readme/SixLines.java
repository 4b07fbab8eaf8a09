package io.lifeguard.examples.readme;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.lifeguard.examples.Command;
import io.lifeguard.examples.Terminal;
import io.lifeguard.examples.stories.Delay;
import io.lifeguard.examples.stories.RemoteClient;
import io.lifeguard.examples.stories.RemoteService;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor.CallerRunsPolicy;

/**
 * The six lines of code in the README. They print nothing; the lifeguard logs its finding after about seven seconds.
 * Stateless.
 */
public final class SixLines implements Command {

    private static final Duration CALL = Duration.ofMillis(50);

    /** Creates the command. */
    public SixLines() {}

    @Override
    public String name() {
        return "six-lines";
    }

    @Override
    public String summary() {
        return "the six lines of code in the README";
    }

    @Override
    public int run(List<String> arguments, Terminal terminal) {
        try (RemoteService service = RemoteService.start();
                RemoteClient client = service.client()) {
            dispatch(client);
            return OK;
        } catch (IOException e) {
            terminal.err().printf("%s: %s%n", name(), e.getMessage());
            return FAILED;
        } catch (InterruptedException e) {
            return INTERRUPTED;
        }
    }

    private static void dispatch(RemoteClient warehouse) throws InterruptedException {
        // README: begin
        ExecutorService orders = new InstrumentedThreadPoolExecutor(
                16, 16, 0, SECONDS, new ArrayBlockingQueue<>(8), new CallerRunsPolicy());
        for (int order = 1; order <= 2_000; order++) {
            orders.execute(() -> ship(warehouse)); // asks another service, which answers in about 50 ms
        }
        orders.shutdown();
        // README: end
        if (!orders.awaitTermination(1, SECONDS)) {
            orders.shutdownNow();
        }
    }

    private static void ship(RemoteClient warehouse) {
        warehouse.call(Delay.around(CALL));
    }
}
