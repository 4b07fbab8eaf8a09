package io.lifeguard.examples.jaraudit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The jars below a directory, in a fixed order. Immutable.
 *
 * @param directory where they are
 * @param jars each of them once, by name
 * @param links how many more names are links to one of them
 * @param unreadable directories that could not be looked into, each with the reason
 * @param found how many jars there were before {@link #sample}
 */
record JarList(Path directory, List<Jar> jars, int links, List<String> unreadable, int found) {

    JarList {
        jars = List.copyOf(jars);
        unreadable = List.copyOf(unreadable);
    }

    /** Returns at most {@code limit} of these jars, spread evenly over the directory, in the same order. */
    JarList sample(int limit) {
        if (jars.size() <= limit) {
            return this;
        }
        List<Jar> sample = new ArrayList<>(limit);
        for (long i = 0; i < limit; i++) {
            sample.add(jars.get((int) (i * jars.size() / limit)));
        }
        return new JarList(directory, sample, links, unreadable, found);
    }
}
