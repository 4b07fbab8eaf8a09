package io.lifeguard.pool.diagnosis;

import java.util.ArrayList;
import java.util.List;

/** Keeps what became of findings, in order, until a listener may be told. Confined to the monitor's thread. */
final class PendingNews implements FindingListener {

    /** What became of one finding. */
    record News(Kind kind, Finding finding, String why) {

        enum Kind {
            RAISED,
            UPDATED,
            ESCALATED,
            RESOLVED,
            ENDED
        }

        void tell(FindingListener listener) {
            if (kind == Kind.RAISED) { // no switch, which would have a class of its own
                listener.raised(finding);
            } else if (kind == Kind.UPDATED) {
                listener.updated(finding);
            } else if (kind == Kind.ESCALATED) {
                listener.escalated(finding);
            } else if (kind == Kind.RESOLVED) {
                listener.resolved(finding);
            } else {
                listener.ended(finding, why);
            }
        }
    }

    private List<News> news = new ArrayList<>(0);

    /** Tells the listener all of it, once. */
    void tell(FindingListener listener) {
        if (!news.isEmpty()) {
            List<News> all = news;
            news = new ArrayList<>(0); // also if the listener throws
            for (News each : all) {
                each.tell(listener);
            }
        }
    }

    @Override
    public void raised(Finding finding) {
        news.add(new News(News.Kind.RAISED, finding, ""));
    }

    @Override
    public void updated(Finding finding) {
        news.add(new News(News.Kind.UPDATED, finding, ""));
    }

    @Override
    public void escalated(Finding finding) {
        news.add(new News(News.Kind.ESCALATED, finding, ""));
    }

    @Override
    public void resolved(Finding finding) {
        news.add(new News(News.Kind.RESOLVED, finding, ""));
    }

    @Override
    public void ended(Finding finding, String why) {
        news.add(new News(News.Kind.ENDED, finding, why));
    }
}
