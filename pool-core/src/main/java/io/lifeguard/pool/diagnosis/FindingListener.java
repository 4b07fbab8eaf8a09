package io.lifeguard.pool.diagnosis;

/**
 * Is told when a finding is raised, when it says something new, when it becomes more severe, and when it is over.
 * Called by the monitor's thread: be quick, or the next windows are late. One that throws is logged once and otherwise
 * ignored.
 */
public interface FindingListener {

    /**
     * A finding is raised: it has held for as many windows as its rule asks for.
     *
     * @param finding the finding
     */
    void raised(Finding finding);

    /**
     * A raised finding still holds, with newer numbers.
     *
     * @param finding the finding as it is now
     */
    default void updated(Finding finding) {}

    /**
     * A raised finding has become more severe than it was a window ago: a warning has become critical. Told instead of
     * {@link #updated}; one that does not ask is told an update.
     *
     * @param finding the finding as it is now
     */
    default void escalated(Finding finding) {
        updated(finding);
    }

    /**
     * A raised finding is over.
     *
     * @param finding the finding as it was last
     */
    default void resolved(Finding finding) {}
}
