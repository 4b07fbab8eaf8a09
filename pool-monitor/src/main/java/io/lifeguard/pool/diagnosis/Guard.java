package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.text.UserCode;

/**
 * Calls rules and listeners, and logs the first failure of each class. What they throw does not reach the monitor.
 * Thread-safe.
 *
 * <p>A failure of the library's own code is one line in the user's log; its stack is logged at the level debug. Users
 * need the stack of their own code's failure.
 */
final class Guard extends UserCode {

    private static final String LIBRARY = "io.lifeguard.pool.";

    Guard() {
        super(Guard::write);
    }

    private static void write(String who, Throwable failure) {
        if (who.startsWith(LIBRARY)) {
            StackTraceElement[] stack = failure.getStackTrace();
            LogLines.MONITOR.write(log -> {
                log.warn(
                        "{} failed and is ignored this time; further failures of it are not logged: {}, at {}",
                        who,
                        LogText.clean(String.valueOf(failure)),
                        stack.length == 0 ? "an unknown place" : stack[0]);
                log.debug("{} failed", who, failure);
            });
        } else {
            LogLines.MONITOR.write(log -> log.warn(
                    "{} failed and is ignored this time; further failures of it are not logged", who, failure));
        }
    }
}
