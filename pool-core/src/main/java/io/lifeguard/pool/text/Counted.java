package io.lifeguard.pool.text;

import java.util.Locale;

/** How many of something, as people say it: {@code 1 task}, {@code 2 tasks}, {@code 1,340 tasks}. Stateless. */
public final class Counted {

    private Counted() {}

    /**
     * Where several are called as one is, with an s behind it.
     *
     * @param number how many
     * @param one what one is called
     * @return both
     */
    public static String of(long number, String one) {
        return of(number, one, one + "s");
    }

    /**
     * Where more than the last letter depends on how many there are: {@code of(n, "task waits", "tasks wait")}.
     *
     * @param number how many
     * @param one what one is called
     * @param many what none or several are called
     * @return both
     */
    public static String of(long number, String one, String many) {
        return of(String.format(Locale.ROOT, "%,d", number), one, many);
    }

    /**
     * The same of a number that has been written already, and may be a fraction.
     *
     * @param number how many
     * @param one what one is called
     * @param many what none or several are called
     * @return both
     */
    public static String of(String number, String one, String many) {
        return number + " " + (number.equals("1") ? one : many);
    }
}
