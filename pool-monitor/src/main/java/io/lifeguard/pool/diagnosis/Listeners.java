package io.lifeguard.pool.diagnosis;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

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
    private final IdentityHashMap<FindingListener, Queue<Consumer<FindingListener>>> news = new IdentityHashMap<>();

    Listeners(List<FindingListener> own, MonitorSettings settings, Guard guard) {
        this.own = own;
        this.settings = settings;
        this.guard = guard;
    }

    @Override
    public void raised(Finding finding) {
        tell(listener -> listener.raised(finding));
    }

    @Override
    public void updated(Finding finding) {
        tell(listener -> listener.updated(finding));
    }

    @Override
    public void escalated(Finding finding) {
        tell(listener -> listener.escalated(finding));
    }

    @Override
    public void resolved(Finding finding) {
        tell(listener -> listener.resolved(finding));
    }

    @Override
    public void ended(Finding finding, String why) {
        tell(listener -> listener.ended(finding, why));
    }

    private void tell(Consumer<FindingListener> event) {
        own.forEach(listener -> guard.run(listener, () -> event.accept(listener)));
        for (FindingListener listener : settings.listeners()) {
            Queue<Consumer<FindingListener>> mine =
                    news.computeIfAbsent(listener, any -> new LinkedBlockingQueue<>(MOST_NEWS));
            mine.offer(event);
            deliver(listener, mine);
        }
    }

    /** Calls listeners whose news came in just when they returned. Called once a round. */
    void deliverLate() {
        news.forEach((listener, mine) -> {
            if (!mine.isEmpty() || guard.isSilent(listener)) {
                deliver(listener, mine);
            }
        });
    }

    private void deliver(FindingListener listener, Queue<Consumer<FindingListener>> mine) {
        guard.hasReturned(
                listener,
                () -> deliverAll(listener, mine),
                () -> "The listener " + listener.getClass().getName(),
                "its news waits");
    }

    private void deliverAll(FindingListener listener, Queue<Consumer<FindingListener>> mine) {
        for (Consumer<FindingListener> event = mine.poll(); event != null; event = mine.poll()) {
            Consumer<FindingListener> next = event;
            guard.run(listener, () -> next.accept(listener));
        }
    }
}
