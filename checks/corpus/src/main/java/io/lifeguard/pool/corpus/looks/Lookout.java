package io.lifeguard.pool.corpus.looks;

/** Looks at the findings again and again, as a person would, and remembers them. */
public interface Lookout {

    /**
     * Stops, and prints all looks for {@link Course#parse}.
     *
     * @param zero the {@link System#nanoTime()} from which the looks count
     */
    void end(long zero);
}
