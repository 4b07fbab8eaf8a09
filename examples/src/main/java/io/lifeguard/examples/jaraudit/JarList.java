package io.lifeguard.examples.jaraudit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The jars to audit, in a fixed order. Packages of the JDK may follow the jars. Immutable.
 *
 * @param directory where the jars are
 * @param jars each jar once, ordered by name, and then the packages
 * @param links the number of further names that are links to one of the jars
 * @param unreadable directories that could not be read, each with the reason
 * @param found the number of jars before {@link #sample}
 */
record JarList(Path directory, List<Jar> jars, int links, List<String> unreadable, int found) {

    JarList {
        jars = List.copyOf(jars);
        unreadable = List.copyOf(unreadable);
    }

    /** Returns a list without jars. */
    static JarList empty(Path directory) {
        return new JarList(directory, List.of(), 0, List.of(), 0);
    }

    /** Returns at most {@code limit} of these jars, spread evenly over the directory, in the same order. */
    JarList sample(int limit) {
        return new JarList(directory, sample(jars, limit), links, unreadable, found);
    }

    /** Returns these jars, and as many of the packages, spread evenly, as it takes to reach {@code limit}. */
    JarList fillUp(List<Jar> packages, int limit) {
        List<Jar> filled = new ArrayList<>(jars);
        filled.addAll(sample(packages, Math.max(0, limit - jars.size())));
        return new JarList(directory, filled, links, unreadable, found);
    }

    /** Returns the number of packages of the JDK in this list. */
    int packages() {
        return (int)
                jars.stream().filter(jar -> JdkPackages.contains(jar.path())).count();
    }

    private static List<Jar> sample(List<Jar> all, int limit) {
        if (all.size() <= limit) {
            return all;
        }
        List<Jar> sample = new ArrayList<>(limit);
        for (long i = 0; i < limit; i++) {
            sample.add(all.get((int) (i * all.size() / limit)));
        }
        return sample;
    }
}
