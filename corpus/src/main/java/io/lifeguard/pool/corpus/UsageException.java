package io.lifeguard.pool.corpus;

/** Arguments that make no sense; the message says which. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}
