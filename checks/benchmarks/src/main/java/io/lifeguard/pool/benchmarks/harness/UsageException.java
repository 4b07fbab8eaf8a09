package io.lifeguard.pool.benchmarks.harness;

/** Thrown for a wrong command line. The message tells the user what is wrong. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
