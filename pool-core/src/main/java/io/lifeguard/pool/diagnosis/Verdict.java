package io.lifeguard.pool.diagnosis;

import java.util.Objects;
import java.util.Optional;

/**
 * A rule's answer about one window: it found something, all is well, or it could not know. Immutable.
 *
 * <p>Missing evidence is not evidence of absence. A rule that cannot judge a window answers
 * {@linkplain #unknown unknown} and says what was missing; it answers {@linkplain #clear() clear} only when it has seen
 * that all is well.
 */
public sealed interface Verdict {

    /**
     * The rule found what it looks for.
     *
     * @param finding the finding, not null
     * @return the verdict
     */
    static Verdict found(Finding finding) {
        return new Found(finding);
    }

    /**
     * The rule has seen that all is well.
     *
     * @return the verdict
     */
    static Verdict clear() {
        return Clear.CLEAR;
    }

    /**
     * The rule could not judge the window.
     *
     * @param missing what it would have had to know, in plain words, not blank
     * @return the verdict
     * @throws IllegalArgumentException if {@code missing} is blank
     */
    static Verdict unknown(String missing) {
        return new Unknown(missing);
    }

    /**
     * The finding.
     *
     * @return the finding; empty unless this is {@link Found}
     */
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
     * @param missing what it would have had to know, in plain words, not blank
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
