package io.lifeguard.pool.spring;

import java.time.Duration;
import java.util.Locale;

/** How values are written for people. Stateless. */
final class Words {

    private Words() {}

    /** A name as Boot compares it: in an environment variable there are neither dashes nor small letters. */
    static String uniform(String name) {
        return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }

    /** {@code 1 task}, {@code 2 tasks}. */
    static String of(int number, String one) {
        return number + " " + one + (number == 1 ? "" : "s");
    }

    /** As it may be written in a property: 10ms, 1s, 10m, 1d. */
    static String of(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 86_400_000 == 0 && millis != 0) {
            return millis / 86_400_000 + "d";
        } else if (millis % 60_000 == 0 && millis != 0) {
            return millis / 60_000 + "m";
        } else if (millis % 1_000 == 0) {
            return millis / 1_000 + "s";
        }
        return millis + "ms";
    }
}
