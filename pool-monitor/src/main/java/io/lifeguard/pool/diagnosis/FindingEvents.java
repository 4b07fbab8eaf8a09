package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.FindingEvent.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Passes on only those updates that change something. Confined to the monitor's thread. */
final class FindingEvents implements FindingListener {

    private final Consumer<? super FindingEvent> receiver;
    private final Map<List<String>, Finding> told = new HashMap<>(); // standing ones, by pool and id

    FindingEvents(Consumer<? super FindingEvent> receiver) {
        this.receiver = receiver;
    }

    private static List<String> key(Finding finding) {
        return List.of(finding.pool(), finding.id());
    }

    private static boolean isUnchecked(Finding finding) {
        return finding.evidence().containsKey(FindingLife.NOT_CHECKED);
    }

    @Override
    public void raised(Finding finding) {
        told.put(key(finding), finding);
        receiver.accept(new FindingEvent(Kind.FOUND, finding, "", true));
    }

    @Override
    public void updated(Finding finding) {
        Finding before = told.get(key(finding));
        if (before == null) {
            raised(finding); // the receiver was added after it was raised
            return;
        }
        String change = change(before, finding);
        if (!change.isEmpty()) {
            told.put(key(finding), finding);
            Kind kind = isUnchecked(finding) ? Kind.UNKNOWN : Kind.CHANGED;
            receiver.accept(new FindingEvent(kind, finding, change, true));
        }
    }

    /** {@return what is new; empty when it is nothing but numbers} */
    private static String change(Finding before, Finding now) {
        if (isUnchecked(now)) {
            return isUnchecked(before) ? "" : "it cannot be checked";
        } else if (isUnchecked(before)) {
            return "it can be checked again";
        } else if (before.severity() != now.severity()) {
            return "severity " + word(before) + " to " + word(now);
        } else if (!before.place().equals(now.place())) {
            return "another place";
        } else if (!before.recommendedSize().equals(now.recommendedSize())) {
            return "another recommended size";
        }
        return "";
    }

    private static String word(Finding finding) {
        return finding.severity().name().toLowerCase(Locale.ROOT);
    }

    @Override
    public void resolved(Finding finding) {
        told.remove(key(finding));
        receiver.accept(new FindingEvent(Kind.RESOLVED, finding, "", false));
    }

    @Override
    public void ended(Finding finding, String why) {
        told.remove(key(finding));
        receiver.accept(new FindingEvent(Kind.UNKNOWN, finding, why, false));
    }
}
