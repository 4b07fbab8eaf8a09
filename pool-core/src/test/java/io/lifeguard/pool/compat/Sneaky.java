package io.lifeguard.pool.compat;

/** Throws checked exceptions without declaring them, as code from other JVM languages does. */
final class Sneaky {

    private Sneaky() {}

    static void raise(Throwable problem) {
        Sneaky.<RuntimeException>raiseAs(problem);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void raiseAs(Throwable problem) throws T {
        throw (T) problem;
    }
}
