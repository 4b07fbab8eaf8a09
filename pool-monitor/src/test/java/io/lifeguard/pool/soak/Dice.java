package io.lifeguard.pool.soak;

/** Numbers that depend on a seed and a counter only, for where threads share a sequence. */
final class Dice {

    private Dice() {}

    /** The mixing function of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
    static int of(long seed, long counter) {
        long z = seed + counter * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return (int) ((z ^ (z >>> 31)) >>> 32);
    }
}
