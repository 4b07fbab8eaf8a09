package io.lifeguard.examples.stories;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/** A pool of 500 workers that queue for one {@code synchronized} getter while the CPU is idle. */
public final class LockStory extends Story {

    private static final String ID = "lock-contention";
    private static final int WORKERS = 500;
    private static final Duration CALL = Duration.ofMillis(250);
    private static final Duration LOOK_UP = Duration.ofMillis(2);

    /** Creates the story. */
    public LockStory() {
        super("story-lock", "500 workers that queue for one synchronized getter, then share it");
    }

    @Override
    boolean tell(Stage stage, Options options) throws IOException, InterruptedException {
        Duration length = options.secondsOr(8);
        Duration call = options.callOr(CALL);
        stage.title(
                "Five hundred workers and one lock",
                WORKERS + " workers. Each task asks a service on loopback, which answers in " + call.toMillis()
                        + " ms, and reads a setting. The getter checks with",
                "the service whether the setting has changed, for " + LOOK_UP.toMillis()
                        + " ms. At first the getter is synchronized. Then it uses a read lock.");
        try (RemoteService service = RemoteService.start();
                RemoteClient client = service.client()) {
            SynchronizedSettings exclusive = new SynchronizedSettings(client);
            Act before = stage.feed("synchronized", pool(), length, () -> {
                client.call(call);
                exclusive.rate();
            });
            stage.tell("before", before);
            Optional<Finding> finding = before.finding(ID);
            stage.tell(finding, ID);
            stage.cureBegins();
            SharedSettings shared = new SharedSettings(client);
            Act after = stage.feed("shared", pool(), length, () -> {
                client.call(call);
                shared.rate();
            });
            stage.tell("after", after);
            stage.told("ratio", String.format(Locale.ROOT, "%.2f× by sharing the lock", after.rate() / before.rate()));
            return finding.isPresent();
        }
    }

    private static InstrumentedThreadPoolExecutor pool() {
        return InstrumentedThreadPoolExecutor.named("requests").size(WORKERS).build();
    }

    /** Settings that one thread at a time can read. */
    private static final class SynchronizedSettings {
        private final RemoteClient client;
        private @Nullable String rate; // guarded by this

        SynchronizedSettings(RemoteClient client) {
            this.client = client;
        }

        synchronized String rate() {
            client.call(LOOK_UP);
            if (rate == null) {
                rate = "1.0";
            }
            return rate;
        }
    }

    /** The same settings, which many threads can read at once. */
    private static final class SharedSettings {
        private final RemoteClient client;
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        private @Nullable String rate; // guarded by lock

        SharedSettings(RemoteClient client) {
            this.client = client;
        }

        String rate() {
            lock.readLock().lock();
            try {
                client.call(LOOK_UP);
                if (rate != null) {
                    return rate;
                }
            } finally {
                lock.readLock().unlock();
            }
            lock.writeLock().lock();
            try {
                rate = "1.0";
                return rate;
            } finally {
                lock.writeLock().unlock();
            }
        }
    }
}
