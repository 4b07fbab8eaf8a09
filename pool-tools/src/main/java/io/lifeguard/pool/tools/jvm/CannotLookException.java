package io.lifeguard.pool.tools.jvm;

/** Says why a process cannot be looked at, and what to do about it. The message is a sentence for the user. */
public final class CannotLookException extends Exception {

    private static final long serialVersionUID = 1;

    private final String sentence;

    /** Makes an exception. */
    public CannotLookException(String sentence) {
        super(sentence);
        this.sentence = sentence;
    }

    /** {@return the message, which is never null} */
    public String sentence() {
        return sentence;
    }
}
