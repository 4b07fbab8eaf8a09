package io.lifeguard.pool.benchmarks.harness;

/** The command line is wrong; the message says how, for the person who typed it. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
