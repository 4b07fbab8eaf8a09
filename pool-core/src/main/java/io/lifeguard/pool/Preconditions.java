package io.lifeguard.pool;

/** Checks of arguments, with messages that say the name, the bound and the value. Stateless. */
final class Preconditions {
    private Preconditions() {}

    static int atLeast(int bound, int value, String name) {
        if (value < bound) {
            throw new IllegalArgumentException(name + " must be >= " + bound + " (was " + value + ")");
        }
        return value;
    }
}
