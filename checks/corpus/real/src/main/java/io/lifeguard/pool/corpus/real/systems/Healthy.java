package io.lifeguard.pool.corpus.real.systems;

import java.util.List;

/**
 * A program in which nothing is wrong, however long it runs. Immutable.
 *
 * @param name the name, unique and in {@code kebab-case}
 * @param about what it does, in one sentence
 * @param jvmArguments arguments of its JVM
 * @param form starts it
 */
public record Healthy(String name, String about, List<String> jvmArguments, RealSystem.Form form) {

    /** Copies the list. */
    public Healthy {
        jvmArguments = List.copyOf(jvmArguments);
    }
}
