package io.lifeguard.examples.jaraudit;

/** Says why there is no audit. */
final class AuditFailure extends Exception {
    private static final long serialVersionUID = 1;

    AuditFailure(String message) {
        super(message);
    }
}
