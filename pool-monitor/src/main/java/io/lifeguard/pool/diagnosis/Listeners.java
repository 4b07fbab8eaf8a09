package io.lifeguard.pool.diagnosis;

import java.util.List;
import java.util.function.Consumer;

/**
 * Forwards each finding event to the monitor's own listeners first, then to users'. Has no mutable state of its own.
 */
final class Listeners implements FindingListener {

    private final List<FindingListener> own;
    private final MonitorSettings settings;
    private final Guard guard;

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

    private void tell(Consumer<FindingListener> news) {
        own.forEach(listener -> guard.run(listener, () -> news.accept(listener)));
        settings.listeners().forEach(listener -> guard.run(listener, () -> news.accept(listener)));
    }
}
