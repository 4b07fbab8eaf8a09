package io.lifeguard.pool.tools;

/** The exit codes of all commands. */
final class ExitCode {

    /** The command looked at everything, and found nothing wrong. */
    static final int HEALTHY = 0;

    /** The command looked at everything, and found something wrong. */
    static final int FINDINGS = 1;

    /** The command could not look at something it was asked to look at, or its arguments are wrong. */
    static final int COULD_NOT_LOOK = 2;

    private ExitCode() {}
}
