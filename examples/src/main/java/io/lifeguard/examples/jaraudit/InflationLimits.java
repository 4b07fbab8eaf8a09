package io.lifeguard.examples.jaraudit;

import java.util.zip.ZipException;

/**
 * How much a jar may hold before it counts as a bomb. Immutable.
 *
 * @param always what any jar may inflate to, in bytes
 * @param ratio what a jar may inflate to beyond that, as a multiple of its own length
 * @param never what no jar may inflate to, in bytes
 */
record InflationLimits(long always, long ratio, long never) {

    /**
     * For jars: class files deflate to a half, text to a fifth and rarely better, while a bomb needs a factor of hundreds
     * (deflate itself ends at 1,032).
     */
    static final InflationLimits DEFAULT = new InflationLimits(32L << 20, 100, 4L << 30);

    /** Throws when so many bytes are too many for a jar of that length. */
    void check(long inflated, long jarLength) throws Exceeded {
        if (inflated > never) {
            throw new Exceeded("inflates to more than " + Printable.bytes(never));
        }
        if (inflated > always && inflated / ratio >= jarLength) {
            throw new Exceeded("inflates to more than " + ratio + " times its length");
        }
    }

    /** Says that a jar is a bomb. */
    static final class Exceeded extends ZipException {
        private static final long serialVersionUID = 1;

        Exceeded(String what) {
            super("zip bomb: " + what);
        }
    }
}
