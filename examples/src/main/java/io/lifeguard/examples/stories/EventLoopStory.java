package io.lifeguard.examples.stories;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Event loops that wait for a network call. The CPU is idle meanwhile, so no CPU profile shows them. */
public final class EventLoopStory extends Story {

    private static final String ID = "event-loop-blocked";
    private static final int CLIENTS = 32;
    private static final int MAX_FRAMES = 8;

    /** Creates the story. */
    public EventLoopStory() {
        super("story-event-loop", "a Netty event loop that makes a blocking call, then leaves the call to a pool");
    }

    @Override
    boolean tell(Stage stage, Options options) throws IOException, InterruptedException {
        Duration length = options.secondsOr(16);
        Duration call = options.callOr(Duration.ofMillis(100));
        stage.title(
                "The event loop that waited",
                "A Netty server with two event loops and " + CLIENTS
                        + " clients on loopback. Each request needs the answer of another service, which takes "
                        + call.toMillis() + " ms.",
                "At first the handler makes this call on the event loop. Then a pool of " + CLIENTS
                        + " makes the call.");
        try (RemoteService service = RemoteService.start();
                RemoteClient client = service.client()) {
            // Like most services, this one has a pool from the start. At first the handler does not use it.
            InstrumentedThreadPoolExecutor pool =
                    InstrumentedThreadPoolExecutor.named("calls").size(CLIENTS).build();
            double before;
            Optional<Finding> finding;
            try (NettyServer server = NettyServer.start(Runnable::run, () -> client.call(call))) {
                before = server.answersPerSecond(CLIENTS, length);
                finding = stage.findings().stream()
                        .filter(found -> found.id().equals(ID))
                        .findFirst();
            }
            stage.told("before", String.format(Locale.ROOT, "called on the event loop: %,.0f requests/s", before));
            stage.tell(finding, ID);
            finding.ifPresent(found -> stackOf(found).forEach(frame -> stage.say("            at " + frame)));
            stage.cureBegins();
            double after;
            try (NettyServer server = NettyServer.start(pool, () -> client.call(call))) {
                after = server.answersPerSecond(CLIENTS, length);
            } finally {
                pool.shutdownNow();
            }
            stage.told("after", String.format(Locale.ROOT, "called in a pool: %,.0f requests/s", after));
            stage.told("ratio", String.format(Locale.ROOT, "%.2f× by leaving the event loop alone", after / before));
            return finding.isPresent();
        }
    }

    private static List<String> stackOf(Finding finding) {
        return finding.evidence().get("stack") instanceof List<?> frames
                ? frames.stream()
                        .map(String::valueOf)
                        .dropWhile(frame -> frame.startsWith("java.base"))
                        .limit(MAX_FRAMES)
                        .toList()
                : List.of();
    }
}
