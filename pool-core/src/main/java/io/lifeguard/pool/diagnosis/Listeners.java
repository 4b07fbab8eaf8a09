package io.lifeguard.pool.diagnosis;

import java.util.function.Consumer;

/** Forwards each finding event to the log first, then to every registered listener. Has no mutable state of its own. */
final class Listeners implements FindingListener {

    private final FindingListener log;
    private final MonitorSettings settings;
    private final Guard guard;

    Listeners(FindingListener log, MonitorSettings settings, Guard guard) {
        this.log = log;
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

    private void tell(Consumer<FindingListener> news) {
        guard.run(log, () -> news.accept(log));
        settings.listeners().forEach(listener -> guard.run(listener, () -> news.accept(listener)));
    }
}
