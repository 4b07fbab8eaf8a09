package io.lifeguard.pool.benchmarks.harness;

/** Thrown when a forked JVM gave no result. The message has its last output. */
public final class ForkFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ForkFailedException(String message) {
        super(message);
    }

    ForkFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
