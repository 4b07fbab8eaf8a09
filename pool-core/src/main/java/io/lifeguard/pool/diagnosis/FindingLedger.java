package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The suspected and raised findings of one pool. Confined to the monitor's thread, except {@link #raised}. */
final class FindingLedger {

    private final Map<String, FindingLife> lives = new LinkedHashMap<>(); // by id
    private volatile List<Finding> raised = List.of(); // written by the monitor's thread; readers may lag by one window

    /** {@return the raised findings, in no particular order} */
    List<Finding> raised() {
        return raised;
    }

    /**
     * Enters what the rules found in a window.
     *
     * @param found by id, with the rule that found it
     * @param count how many windows this one stands for, because it was longer than planned. It never counts for as
     *     many as a finding needs, so that at least two windows agree
     * @param news is told what becomes of each finding
     */
    void enter(Map<String, Found> found, int count, FindingListener news) {
        found.forEach((id, what) -> lives.computeIfAbsent(id, key -> new FindingLife(what.windowsToRaise()))
                .seen(what.finding(), count, news));
        Iterator<Map.Entry<String, FindingLife>> all = lives.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<String, FindingLife> entry = all.next();
            if (!found.containsKey(entry.getKey()) && entry.getValue().missed(count, news)) {
                all.remove();
            }
        }
        publish();
    }

    /** Ends the findings with such ids at once. */
    void end(Predicate<String> ids, FindingListener news) {
        lives.entrySet().removeIf(entry -> {
            if (!ids.test(entry.getKey())) {
                return false;
            }
            entry.getValue().end(news);
            return true;
        });
        publish();
    }

    private void publish() {
        List<Finding> now = new ArrayList<>();
        lives.values().forEach(life -> life.raised().ifPresent(now::add));
        raised = List.copyOf(now);
    }

    /** What a rule has found in one window. */
    record Found(Finding finding, int windowsToRaise) {}

    /** One finding from its suspicion to its end. */
    private static final class FindingLife {
        private static final int CLEAN_WINDOWS_TO_RESOLVE = 3;

        private final int windowsToRaise;
        private long recent; // one bit per window, the lowest is the latest: whether the finding was seen
        private @Nullable Finding first;
        private @Nullable Finding latest;
        private boolean isRaised;

        FindingLife(int windowsToRaise) {
            this.windowsToRaise = Math.max(1, Math.min(windowsToRaise, PoolWindow.HISTORY));
        }

        void seen(Finding finding, int count, FindingListener news) {
            int windows = notEnoughAlone(count);
            recent = recent << windows | lowest(windows);
            first = first == null ? finding : first;
            Finding before = latest;
            latest = finding.withSince(first.since());
            if (isRaised && before != null && latest.severity().compareTo(before.severity()) > 0) {
                news.escalated(latest);
            } else if (isRaised) {
                news.updated(latest);
            } else if (Long.bitCount(recent & lowest(windowsToRaise == 1 ? 1 : windowsToRaise + 1)) >= windowsToRaise) {
                isRaised = true;
                news.raised(latest);
            }
        }

        /** {@return whether the finding is over, and to be forgotten} */
        boolean missed(int count, FindingListener news) {
            recent <<= notEnoughAlone(count);
            if (isRaised) {
                boolean clean = (recent & lowest(Math.max(CLEAN_WINDOWS_TO_RESOLVE, windowsToRaise))) == 0;
                if (clean) {
                    end(news);
                }
                return clean;
            }
            return (recent & lowest(2)) == 0;
        }

        void end(FindingListener news) {
            if (isRaised && latest != null) {
                isRaised = false;
                news.resolved(latest);
            }
        }

        Optional<Finding> raised() {
            return isRaised ? Optional.ofNullable(latest) : Optional.empty();
        }

        private int notEnoughAlone(int count) {
            return Math.max(1, Math.min(count, windowsToRaise - 1));
        }

        private static long lowest(int bits) {
            return (1L << bits) - 1;
        }
    }
}
