package io.lifeguard.pool.corpus;

/** Thrown for wrong arguments. The message names the argument. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}
