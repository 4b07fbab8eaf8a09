package io.lifeguard.workbench;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * CPU work of a given size: SHA-256 over the same text again and again. Stateless. The size is an amount of work rather
 * than of time, so that it takes longer where threads compete for a CPU.
 */
public final class Hashing {

    private static final byte[] TEXT =
            "All work and no play makes the lifeguard a dull boy. ".repeat(5).getBytes(StandardCharsets.US_ASCII);
    private static final ThreadLocal<MessageDigest> DIGEST = ThreadLocal.withInitial(Hashing::newDigest);
    private static final int CALIBRATION_ROUNDS = 20_000;

    /** How many rounds one thread does in a microsecond, undisturbed. Measured once, when the class is first used. */
    private static final double ROUNDS_PER_MICRO = calibrate();

    private Hashing() {}

    /**
     * Hashes for about this time, if the thread has a CPU to itself.
     *
     * @return a byte of the result, so that the compiler cannot remove the work
     */
    public static byte micros(double micros) {
        return rounds((int) Math.max(1, Math.round(micros * ROUNDS_PER_MICRO)));
    }

    private static byte rounds(int rounds) {
        MessageDigest digest = DIGEST.get();
        byte[] hash = digest.digest(TEXT);
        for (int i = 1; i < rounds; i++) {
            digest.update(hash);
            hash = digest.digest(TEXT);
        }
        return hash[0];
    }

    /** The best of several tries, because other load only makes a try slower. */
    private static double calibrate() {
        double best = 0;
        for (int i = 0; i < 8; i++) {
            long start = System.nanoTime();
            byte unused = rounds(CALIBRATION_ROUNDS);
            long nanos = System.nanoTime() - start + (unused & 1);
            best = Math.max(best, CALIBRATION_ROUNDS * 1e3 / nanos);
        }
        return best;
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
