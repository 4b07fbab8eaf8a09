package io.lifeguard.examples.jaraudit;

/** Says which argument makes no sense. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}
