package io.lifeguard.pool.diagnosis;

import java.util.Objects;
import java.util.Optional;

/**
 * A rule's answer about one window: found, clear or unknown. Immutable.
 *
 * <p>Missing evidence does not show that all is well. A rule that cannot judge a window answers {@linkplain #unknown
 * unknown} and says what was missing. It answers {@linkplain #clear() clear} only when it has seen that all is well.
 */
public sealed interface Verdict {

    /**
     * {@return the verdict that the rule found what it looks for}
     *
     * @param finding the finding, not null
     */
    static Verdict found(Finding finding) {
        return new Found(finding);
    }

    /** {@return the verdict that the rule has seen that all is well} */
    static Verdict clear() {
        return Clear.CLEAR;
    }

    /**
     * {@return the verdict that the rule could not judge the window}
     *
     * @param missing what was missing, in plain words, not blank
     * @throws IllegalArgumentException if {@code missing} is blank
     */
    static Verdict unknown(String missing) {
        return new Unknown(missing);
    }

    /** {@return the finding; empty unless this is {@link Found}} */
    default Optional<Finding> finding() {
        return Optional.empty();
    }

    /**
     * The rule found what it looks for.
     *
     * @param what the finding, not null
     */
    record Found(Finding what) implements Verdict {

        /** Checks the part. */
        public Found {
            Objects.requireNonNull(what, "finding must not be null");
        }

        @Override
        public Optional<Finding> finding() {
            return Optional.of(what);
        }
    }

    /** The rule has seen that all is well. */
    enum Clear implements Verdict {
        /** The only one. */
        CLEAR
    }

    /**
     * The rule could not judge the window.
     *
     * @param missing what was missing, in plain words, not blank
     */
    record Unknown(String missing) implements Verdict {

        /**
         * Checks the part.
         *
         * @throws IllegalArgumentException if it is blank
         */
        public Unknown {
            if (missing.isBlank()) {
                throw new IllegalArgumentException("missing must not be blank (was \"" + missing + "\")");
            }
        }
    }
}
