package io.lifeguard.pool.corpus.real.systems;

import java.util.Objects;
import java.util.Set;

/**
 * A real system with a sickness and its cure. Immutable.
 *
 * @param name the name, unique and in {@code kebab-case}
 * @param about what is wrong, in one sentence
 * @param must the findings that name the sickness; one of them suffices
 * @param may further findings that are true of it; all others are false
 * @param place the method that the finding must name
 * @param cure what the advice changes, in some words
 * @param quick whether it belongs to the representative part
 * @param sick starts the system with its sickness
 * @param cured starts the system with the advice followed, under the same load
 */
public record RealSystem(
        String name,
        String about,
        Set<String> must,
        Set<String> may,
        String place,
        String cure,
        boolean quick,
        Form sick,
        Form cured) {

    /** Copies the sets. */
    public RealSystem {
        must = Set.copyOf(must);
        may = Set.copyOf(may);
    }

    /** Starts to describe a system whose sickness has one of these names. */
    static Builder named(String name, String... must) {
        return new Builder(name, Set.of(must));
    }

    /** A form of the system. */
    @FunctionalInterface
    public interface Form {

        /**
         * Starts the system and its load. Returns as soon as both run.
         *
         * @throws Exception when it cannot be started, which is a defect of the corpus
         */
        void start(Stage stage) throws Exception;
    }

    /** Builds a description. Not thread-safe. */
    static final class Builder {
        private final String name;
        private final Set<String> must;
        private String about = "";
        private Set<String> may = Set.of();
        private String place = "";
        private String cure = "";
        private boolean quick;

        private Builder(String name, Set<String> must) {
            this.name = name;
            this.must = must;
        }

        Builder about(String sentence) {
            about = sentence;
            return this;
        }

        Builder may(String... ids) {
            may = Set.of(ids);
            return this;
        }

        Builder at(String method) {
            place = method;
            return this;
        }

        Builder cure(String words) {
            cure = words;
            return this;
        }

        Builder quick() {
            quick = true;
            return this;
        }

        RealSystem forms(Form sick, Form cured) {
            return new RealSystem(
                    name,
                    about,
                    must,
                    may,
                    place,
                    cure,
                    quick,
                    Objects.requireNonNull(sick, "sick"),
                    Objects.requireNonNull(cured, "cured"));
        }
    }
}
