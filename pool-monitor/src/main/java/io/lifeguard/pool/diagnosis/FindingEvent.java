package io.lifeguard.pool.diagnosis;

import java.util.Map;
import java.util.Objects;

/**
 * A change of a finding that is worth a message to people who are not looking at the pools. Immutable.
 *
 * <p>Numbers that change from window to window are no event. For each finding of a pool, {@code FOUND} comes first. The
 * event after which the finding no longer {@linkplain #stands() stands} comes last.
 *
 * @param kind what happened
 * @param finding the finding as it is now, or as it was last
 * @param why in plain words what changed, or why it is unknown; empty for {@code FOUND} and {@code RESOLVED}
 * @param stands whether the finding is still shown: true for {@code FOUND} and {@code CHANGED}, false for
 *     {@code RESOLVED}. {@code UNKNOWN} is true while it could not be checked, and false when it ended without a cure
 */
public record FindingEvent(Kind kind, Finding finding, String why, boolean stands) {

    /** What happened to a finding. */
    public enum Kind {
        /** It is raised: it has held for as long as its rule asks for. */
        FOUND,
        /** Its severity, its place or its recommended size has changed, or it can be checked again. */
        CHANGED,
        /** Its rule has seen for some seconds that all is well. */
        RESOLVED,
        /** It could not be checked for a minute, or it ended although it was not seen that its cause is gone. */
        UNKNOWN
    }

    /** Refuses null. */
    public FindingEvent {
        Objects.requireNonNull(kind, "kind must not be null");
        Objects.requireNonNull(finding, "finding must not be null");
        Objects.requireNonNull(why, "why must not be null");
    }

    /**
     * {@return what tells of the event in a record for a store of the records of many programs: text, whole numbers and
     * truth values, by names that are stable}
     *
     * <p>{@code event.name} comes first, and {@code lifeguard.finding.summary} last. The texts have at most 520 bytes
     * together. A writer of records adds {@code lifeguard.event.source} and {@code lifeguard.event.number}.
     */
    public Map<String, Object> attributes() {
        return FindingAttributes.of(this);
    }
}
