package io.lifeguard.examples.stories;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** A service whose throughput is limited by a blocking call that its authors do not know. */
public final class HiddenCallStory extends Story {

    private static final String ID = "blocked-on-io";
    private static final int SLOTS = 20;
    private static final int WORSE = 8;
    private static final int[] LOADS = {1, 5, 20, 40, 100};

    /** Creates the story. */
    public HiddenCallStory() {
        super("story-hidden-call", "a service that is limited by a hidden blocking call, with 1 to 100 clients");
    }

    @Override
    String moreUsage() {
        return String.format("  --call-millis N   how long the hidden call takes, 1 to 10,000%n");
    }

    @Override
    boolean tell(Stage stage, Options options) throws IOException, InterruptedException {
        Duration call = options.callOr(Duration.ofMillis(100));
        Duration step = options.secondsOr((int) Math.max(3, call.toSeconds() * 4));
        stage.title(
                "The hidden blocking call",
                "A web service on loopback. Each request makes a call that takes " + call.toMillis()
                        + " ms. The authors of the service do not know this call.",
                "The service has " + SLOTS + " slots. Then the call gets a pool of its own, of " + WORSE
                        + " threads. At last it gets a pool of the recommended size.");
        List<Run> runs = new ArrayList<>();
        try (RemoteService service = RemoteService.start();
                RemoteClient client = service.client()) {
            runs.add(run(stage, "before", SLOTS, () -> client.call(call), step));
            runs.add(run(stage, "worse", WORSE, () -> client.call(call), step));
            OptionalInt size = runs.get(0).act().recommendedSize();
            if (size.isPresent()) {
                stage.cureBegins();
                runs.add(run(stage, "after", size.getAsInt(), () -> client.call(call), step));
            }
        }
        print(stage, runs);
        return runs.size() == 3;
    }

    private record Run(int size, Act act, List<HttpClients.Row> rows) {}

    private static Run run(Stage stage, String when, int size, Runnable work, Duration step)
            throws IOException, InterruptedException {
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("slots-" + size)
                .size(size)
                .unboundedQueue()
                .build();
        HttpClients clients = new HttpClients();
        List<HttpClients.Row> rows = new ArrayList<>();
        long start = System.nanoTime();
        try (HttpFront front = HttpFront.start(pool, work)) {
            for (int load : LOADS) {
                rows.add(clients.ask(front.address(), load, step));
            }
            Act act = stage.close(size + " slots", pool, start);
            stage.tell(when, act);
            act.findings().forEach(stage::tell);
            if (act.finding(ID).isEmpty() && size <= SLOTS) {
                stage.tell(Optional.empty(), ID);
            }
            return new Run(size, act, rows);
        } finally {
            pool.shutdownNow();
        }
    }

    private static void print(Stage stage, List<Run> runs) {
        StringBuilder head = new StringBuilder(String.format("%8s", "clients"));
        runs.forEach(run -> head.append(String.format("  | %10s  %9s  %9s", run.size() + " slots", "mean", "95 %")));
        stage.say("");
        stage.say(head.toString());
        for (int i = 0; i < LOADS.length; i++) {
            StringBuilder line = new StringBuilder(String.format("%8d", LOADS[i]));
            for (Run run : runs) {
                HttpClients.Row row = run.rows().get(i);
                line.append(String.format(
                        Locale.ROOT,
                        "  | %8.1f/s  %6.0f ms  %6.0f ms",
                        row.perSecond(),
                        row.meanMillis(),
                        row.slowMillis()));
            }
            stage.say(line.toString());
        }
        int last = LOADS.length - 1;
        double before = runs.get(0).rows().get(last).perSecond();
        double after = runs.get(runs.size() - 1).rows().get(last).perSecond();
        stage.told(
                "ratio",
                String.format(Locale.ROOT, "%.2f× the requests per second at %d clients", after / before, LOADS[last]));
    }
}
