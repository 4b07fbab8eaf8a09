package io.lifeguard.pool.text;

/** Writes a number with its noun: {@code 1 task}, {@code 2 tasks}, {@code 1,340 tasks}. Stateless. */
public final class Counted {

    private Counted() {}

    /** The number with a noun whose plural ends in s. */
    public static String of(long number, String one) {
        return of(number, one, one + "s");
    }

    /** The number with a phrase that differs in the plural: {@code of(n, "task waits", "tasks wait")}. */
    public static String of(long number, String one, String many) {
        boolean isShort = number > -1_000 && number < 1_000; // the JDK's formatter loads sixty classes
        return of(isShort ? Long.toString(number) : Units.format("%,d", number), one, many);
    }

    /** The same for a number that is already text, and may be a fraction. */
    public static String of(String number, String one, String many) {
        return number + " " + (number.equals("1") ? one : many);
    }
}
