package io.lifeguard.pool.corpus.real.virtual;

import java.util.Objects;
import java.util.Optional;

/**
 * A program on virtual threads. Immutable.
 *
 * @param name the name, unique and in {@code kebab-case}
 * @param about what it does, in one sentence
 * @param isQuick whether it belongs to the representative part
 * @param before24 what is wrong with it where a monitor keeps its carrier; empty where nothing is
 * @param since24 what is wrong with it from Java 24 on
 * @param form starts it
 */
record VirtualProgram(
        String name, String about, boolean isQuick, Optional<Label> before24, Optional<Label> since24, Form form) {

    private static final int MONITORS_LET_GO = 24;

    /** Starts a program. */
    @FunctionalInterface
    interface Form {

        /**
         * Starts the program and what feeds it. Returns as soon as both run.
         *
         * @throws Exception when it cannot be started, which is a defect of the corpus
         */
        void start(VirtualStage stage) throws Exception;
    }

    /** {@return a program in which nothing is wrong} */
    static VirtualProgram healthy(String name, String about, Form form) {
        return new VirtualProgram(name, about, false, Optional.empty(), Optional.empty(), form);
    }

    /** {@return a program that is sick in the same way on all versions} */
    static VirtualProgram sick(String name, String about, Label label, Form form) {
        return sick(name, about, label, label, form);
    }

    /** {@return a program that is sick in different ways before and from Java 24 on} */
    static VirtualProgram sick(String name, String about, Label before24, Label since24, Form form) {
        Objects.requireNonNull(since24, "since24");
        return new VirtualProgram(name, about, false, Optional.of(before24), Optional.of(since24), form);
    }

    /** {@return a program that is sick before Java 24 only} */
    static VirtualProgram sickBefore24(String name, String about, Label label, Form form) {
        return new VirtualProgram(name, about, false, Optional.of(label), Optional.empty(), form);
    }

    /** {@return this program, as part of the representative part} */
    VirtualProgram quick() {
        return new VirtualProgram(name, about, true, before24, since24, form);
    }

    /** {@return what is wrong with it on this version of Java; empty where nothing is} */
    Optional<Label> label(int feature) {
        return feature < MONITORS_LET_GO ? before24 : since24;
    }
}
