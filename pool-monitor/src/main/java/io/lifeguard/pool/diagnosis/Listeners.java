package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.PendingNews.News;
import io.lifeguard.pool.diagnosis.log.Guard;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Forwards each finding event to the monitor's own listeners first, then to users'. The news of a user's listener that
 * does not return waits until it does. Confined to the monitor's thread.
 */
final class Listeners implements FindingListener {

    /** Of one listener that does not return. Further ones are lost. */
    private static final int MOST_NEWS = 1_000;

    private final List<FindingListener> own;
    private final MonitorSettings settings;
    private final Guard guard;

    // Emptied by the threads that call the listeners.
    private final IdentityHashMap<FindingListener, Queue<News>> news = new IdentityHashMap<>();

    Listeners(List<FindingListener> own, MonitorSettings settings, Guard guard) {
        this.own = own;
        this.settings = settings;
        this.guard = guard;
    }

    @Override
    public void raised(Finding finding) {
        tell(new News(News.Kind.RAISED, finding, ""));
    }

    @Override
    public void updated(Finding finding) {
        tell(new News(News.Kind.UPDATED, finding, ""));
    }

    @Override
    public void escalated(Finding finding) {
        tell(new News(News.Kind.ESCALATED, finding, ""));
    }

    @Override
    public void resolved(Finding finding) {
        tell(new News(News.Kind.RESOLVED, finding, ""));
    }

    @Override
    public void ended(Finding finding, String why) {
        tell(new News(News.Kind.ENDED, finding, why));
    }

    private void tell(News event) {
        for (FindingListener listener : own) {
            tell(listener, event);
        }
        for (FindingListener listener : settings.listeners()) {
            Queue<News> mine = news.computeIfAbsent(listener, any -> new LinkedBlockingQueue<>(MOST_NEWS));
            mine.offer(event);
            deliver(listener, mine);
        }
    }

    /** Calls listeners whose news came in just when they returned. Called once a round. */
    void deliverLate() {
        for (Map.Entry<FindingListener, Queue<News>> each : news.entrySet()) {
            if (!each.getValue().isEmpty() || guard.isSilent(each.getKey())) {
                deliver(each.getKey(), each.getValue());
            }
        }
    }

    private void tell(FindingListener listener, News event) {
        try {
            event.tell(listener);
        } catch (Throwable e) {
            guard.failed(listener, e);
        }
    }

    private void deliver(FindingListener listener, Queue<News> mine) {
        guard.hasReturned(
                listener,
                () -> deliverAll(listener, mine),
                () -> "The listener " + listener.getClass().getName(),
                "its news waits");
    }

    private void deliverAll(FindingListener listener, Queue<News> mine) {
        for (News event = mine.poll(); event != null; event = mine.poll()) {
            tell(listener, event);
        }
    }
}
