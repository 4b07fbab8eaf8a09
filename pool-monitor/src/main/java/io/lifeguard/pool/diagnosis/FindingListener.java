package io.lifeguard.pool.diagnosis;

import java.util.Objects;
import java.util.function.Consumer;

/**
 * Receives the events of findings: raised, updated, escalated, and then resolved or ended.
 *
 * <p>A thread of the monitor calls it, one event after the other. Return quickly, otherwise the next windows are late.
 * After three seconds the monitor goes on, and the listener is told of the next 1,000 events once it has returned. A
 * listener that throws is logged once and otherwise ignored.
 */
public interface FindingListener {

    /**
     * Makes a listener of what is worth telling somebody who is not looking: found, changed, resolved, unknown. New
     * numbers alone are no event.
     *
     * @param receiver is told of each event by a thread of the monitor, not null
     * @return a listener for one monitor
     */
    static FindingListener ofEvents(Consumer<? super FindingEvent> receiver) {
        return new FindingEvents(Objects.requireNonNull(receiver, "receiver must not be null"));
    }

    /**
     * A finding is raised: it has held for as long as its rule asks for.
     *
     * @param finding the finding
     */
    void raised(Finding finding);

    /**
     * A raised finding still holds, with newer numbers; or it could not be checked for another minute, and its summary
     * says so.
     *
     * @param finding the finding as it is now
     */
    default void updated(Finding finding) {}

    /**
     * A raised finding has become more severe since the last window. Called instead of {@link #updated}, which is the
     * default.
     *
     * @param finding the finding as it is now
     */
    default void escalated(Finding finding) {
        updated(finding);
    }

    /**
     * A raised finding is over: its rule has seen for some seconds that all is well.
     *
     * @param finding the finding as it was last
     */
    default void resolved(Finding finding) {}

    /**
     * A raised finding is no longer shown, although it was not seen that its cause is gone.
     *
     * @param finding the finding as it was last
     * @param why in plain words: {@code no longer known …} after ten minutes in which its rule could not judge;
     *     otherwise that something else limits a pool that is still full, that its pool has ended, that it was switched
     *     off, or that the monitor was closed
     */
    default void ended(Finding finding, String why) {}
}
