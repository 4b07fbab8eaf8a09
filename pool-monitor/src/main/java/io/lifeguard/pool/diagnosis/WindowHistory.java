package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The latest windows of one pool: single ones for a minute, and before them {@value #COARSE} that each join a minute. A
 * minute is as long as {@value #FINE} windows of the usual length, however many windows it has. Confined to the
 * monitor's thread.
 */
final class WindowHistory {

    private static final int FINE = PoolWindow.HISTORY; // windows, a minute at the usual length
    private static final int COARSE = PoolWindow.HISTORY; // minutes, so an hour in all

    /** Windows of a quarter of the usual length, all the time: more are not kept. */
    private static final int MOST_FINE = 4 * FINE;

    /** A shorter part of a minute before a disturbance, in windows, is not worth a coarse one. */
    private static final double WORTH_JOINING = 10;

    /** Half a window short of a minute is a minute: windows are a little shorter than planned at times. */
    private static final double MINUTE = FINE - 0.5;

    private final Deque<PoolWindow> fine = new ArrayDeque<>(FINE); // latest first, none with a history of its own
    private final Deque<PoolWindow> coarse = new ArrayDeque<>(COARSE); // the same
    private Duration fineLength = Duration.ZERO; // of all single windows
    private int sinceJoined; // windows that no coarse one contains yet
    private Duration sinceJoinedLength = Duration.ZERO; // the same as a time
    private int judged; // windows since the last disturbed one

    /**
     * Adds a window, which must not have a history of its own.
     *
     * @param usual how long windows are meant to be
     */
    void add(PoolWindow window, Duration usual) {
        push(window, usual);
        judged = Math.min(fine.size(), judged + 1);
        sinceJoined = Math.min(fine.size(), sinceJoined + 1);
        sinceJoinedLength = sinceJoinedLength.plus(window.length());
        if (windows(sinceJoinedLength, usual) >= MINUTE) {
            join();
        }
    }

    /** Adds a window that is not judged, and not joined with those before and after it. */
    void addDisturbed(PoolWindow window, Duration usual) {
        if (windows(sinceJoinedLength, usual) >= WORTH_JOINING) {
            join();
        }
        push(window, usual);
        judged = 0;
        forgetUnjoined();
    }

    private static double windows(Duration length, Duration usual) {
        return (double) length.toNanos() / usual.toNanos();
    }

    private void push(PoolWindow window, Duration usual) {
        fine.addFirst(window);
        fineLength = fineLength.plus(window.length());
        while (fine.size() > 1
                && (fine.size() > MOST_FINE
                        || windows(fineLength.minus(fine.getLast().length()), usual) >= FINE)) {
            fineLength = fineLength.minus(fine.removeLast().length());
        }
    }

    private void join() {
        if (coarse.size() == COARSE) {
            coarse.removeLast();
        }
        List<PoolWindow> parts = fine().subList(0, sinceJoined);
        coarse.addFirst(
                parts.get(0).toBuilder().earlier(parts.subList(1, parts.size())).build().last(parts.size()).toBuilder()
                        .withoutWorkers()
                        .build());
        forgetUnjoined();
    }

    private void forgetUnjoined() {
        sinceJoined = 0;
        sinceJoinedLength = Duration.ZERO;
    }

    /** {@return the windows since the last disturbance, latest first} */
    List<PoolWindow> judged() {
        return fine().subList(0, Math.min(judged, fine.size()));
    }

    List<PoolWindow> fine() {
        return List.copyOf(fine);
    }

    List<PoolWindow> coarse() {
        return List.copyOf(coarse);
    }
}
