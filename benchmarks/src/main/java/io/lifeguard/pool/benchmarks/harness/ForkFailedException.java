package io.lifeguard.pool.benchmarks.harness;

/** A forked JVM gave no result; the message holds what it said last. */
public final class ForkFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ForkFailedException(String message) {
        super(message);
    }

    ForkFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
