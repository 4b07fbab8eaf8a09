package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.EventLoopLooks;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.UserFrames;

/**
 * An event loop was held up by a call that blocks, in one of its own handlers. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> How often an event loop was seen waiting for something other than events, with user's code below,
 * as a share of the looks. As long, none of its connections was served. A handler that computes for long is not found:
 * a loop that is busy serving many looks the same.
 *
 * <p><b>Window.</b> Eight: one look in each, several in each from the first on in which the loop was held up.
 *
 * <p><b>Threshold.</b> 20 % of the looks, of five at least, and at least three of them, since one look in ten may meet
 * a short wait for a lock, as of a logger, by chance.
 *
 * <p><b>Closest healthy workload.</b> An event loop whose handlers wait for a lock for moments.
 */
public final class EventLoopBlocked extends StandardRule {

    static final String ID = "event-loop-blocked";

    static final Threshold LOOKS = new Threshold(
            ID + ".looks",
            0.2,
            "share of the looks at an event loop in which a handler waited; one in five events finds it so");

    private static final int FEWEST_LOOKS = 5;
    private static final int FEWEST_HELD = 3;

    public EventLoopBlocked() {
        super(ID, LOOKS);
    }

    @Override
    public boolean examinesEventLoops() {
        return true;
    }

    @Override
    public Verdict examine(PoolWindow window) {
        EventLoopLooks looks = window.eventLoop().orElse(null);
        if (looks == null || looks.looks() < FEWEST_LOOKS) {
            return Verdict.unknown("enough looks at an event loop");
        }
        return isHeldUp(window, looks) ? Verdict.found(finding(window, looks)) : Verdict.clear();
    }

    private static boolean isHeldUp(PoolWindow window, EventLoopLooks looks) {
        return looks.held() >= FEWEST_HELD && share(looks) >= window.threshold(LOOKS);
    }

    private static double share(EventLoopLooks looks) {
        return looks.looks() == 0 ? 0 : (double) looks.held() / looks.looks();
    }

    private static Finding finding(PoolWindow window, EventLoopLooks looks) {
        String place = UserFrames.place(looks.stack());
        return Finding.of(ID, window)
                .severity(Severity.CRITICAL)
                .summary(
                        "event loop %s %s at %s: so it was seen in %d of the last %d looks; no connection of that"
                                + " loop is served meanwhile",
                        window.pool(), words(looks.doing()), place, looks.held(), looks.looks())
                .advice("Give the blocking call a pool of its own (executeBlocking, publishOn, a bounded"
                        + " instrumented pool), or use an asynchronous client.")
                .evidence("eventLoop", window.pool())
                .evidence("doing", looks.doing().name())
                .evidence("place", place)
                .evidence("looks", looks.looks())
                .evidence("blockedLooks", looks.held())
                .evidence("shareOfLooks", share(looks))
                .evidence("stack", lines(looks.stack()))
                .build();
    }

    private static String words(Doing doing) {
        return switch (doing) {
            case WAITING_FOR_LOCK -> "waits for a lock";
            case WAITING_FOR_RESULT -> "waits for the result of another task";
            case WAITING_OUTSIDE -> "waits for the network or a file";
            case SLEEPING -> "sleeps";
            default -> "waits";
        };
    }

    @Override
    public int windowsToRaise() {
        return 2;
    }
}
