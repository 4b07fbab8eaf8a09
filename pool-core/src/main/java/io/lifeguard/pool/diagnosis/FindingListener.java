package io.lifeguard.pool.diagnosis;

/**
 * Receives the events of findings: raised, updated, escalated, resolved.
 *
 * <p>The monitor's thread calls it, so be quick, or the next windows are late. A listener that throws is logged once
 * and otherwise ignored.
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
     * A raised finding has become more severe since the last window. Called instead of {@link #updated}, which is the
     * default.
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
