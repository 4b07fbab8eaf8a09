package io.lifeguard.examples.jaraudit;

import java.util.zip.ZipException;

/**
 * The size above which the content of a jar counts as a zip bomb. Immutable.
 *
 * @param always the size that every jar may inflate to, in bytes
 * @param ratio the larger size that a jar may inflate to, as a multiple of its own length
 * @param never the size above which no jar may inflate, in bytes
 */
record InflationLimits(long always, long ratio, long never) {

    /**
     * The limits for jars. Class files deflate to a half, and text to a fifth or slightly less. A bomb needs a factor
     * of hundreds; the deflate format allows 1,032.
     */
    static final InflationLimits DEFAULT = new InflationLimits(32L << 20, 100, 4L << 30);

    /** Throws if a jar of that length may not inflate to so many bytes. */
    void check(long inflated, long jarLength) throws Exceeded {
        if (inflated > never) {
            throw new Exceeded("inflates to more than " + Printable.bytes(never));
        }
        if (inflated > always && inflated / ratio >= jarLength) {
            throw new Exceeded("inflates to more than " + ratio + " times its length");
        }
    }

    /** Thrown when a jar is a zip bomb. */
    static final class Exceeded extends ZipException {
        private static final long serialVersionUID = 1;

        Exceeded(String what) {
            super("zip bomb: " + what);
        }
    }
}
