package io.lifeguard.examples.jaraudit;

/** Thrown when the audit cannot be done; its message says why. */
final class AuditFailure extends Exception {
    private static final long serialVersionUID = 1;

    AuditFailure(String message) {
        super(message);
    }
}
