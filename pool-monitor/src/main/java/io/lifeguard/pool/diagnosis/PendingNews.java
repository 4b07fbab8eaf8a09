package io.lifeguard.pool.diagnosis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Keeps what became of findings, in order, until a listener may be told. Confined to the monitor's thread. */
final class PendingNews implements FindingListener {

    private List<Consumer<FindingListener>> news = new ArrayList<>(0);

    /** Tells the listener all of it, once. */
    void tell(FindingListener listener) {
        if (!news.isEmpty()) {
            List<Consumer<FindingListener>> all = news;
            news = new ArrayList<>(0); // also if the listener throws
            all.forEach(each -> each.accept(listener));
        }
    }

    @Override
    public void raised(Finding finding) {
        news.add(listener -> listener.raised(finding));
    }

    @Override
    public void updated(Finding finding) {
        news.add(listener -> listener.updated(finding));
    }

    @Override
    public void escalated(Finding finding) {
        news.add(listener -> listener.escalated(finding));
    }

    @Override
    public void resolved(Finding finding) {
        news.add(listener -> listener.resolved(finding));
    }

    @Override
    public void ended(Finding finding, String why) {
        news.add(listener -> listener.ended(finding, why));
    }
}
