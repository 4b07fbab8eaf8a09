package io.lifeguard.examples.jaraudit;

import java.util.List;
import java.util.Optional;

/**
 * The result of auditing one jar. Two audits of the same jar give equal reports. Immutable.
 *
 * @param jar the jar
 * @param bytes its length
 * @param sha1 its SHA-1, unless it could not be read
 * @param checksum the result of comparing the SHA-1 with the checksum file
 * @param entries the number of files in the jar
 * @param inflatedBytes their length in total
 * @param catalogue the answer of the catalogue; empty if it was not asked or did not answer
 * @param problems what is wrong with the jar; empty for a good jar
 */
record JarReport(
        Jar jar,
        long bytes,
        Optional<String> sha1,
        Comparison checksum,
        int entries,
        long inflatedBytes,
        Optional<String> catalogue,
        List<String> problems) {

    /** The result of comparing a jar with its checksum file. */
    enum Comparison {
        SAME,
        DIFFERENT,
        NO_CHECKSUM,
        UNKNOWN
    }

    JarReport {
        problems = List.copyOf(problems);
    }

    /** Returns the report about a jar that cannot be read. */
    static JarReport unreadable(Jar jar, String why) {
        return new JarReport(
                jar, 0, Optional.empty(), Comparison.UNKNOWN, 0, 0, Optional.empty(), List.of("unreadable: " + why));
    }

    boolean isBad() {
        return !problems.isEmpty();
    }

    /** Returns the results that every audit of this jar must agree on, in one line. */
    String findings() {
        return checksum + ", " + Printable.count(entries, "file") + ", " + Printable.bytes(inflatedBytes) + ", "
                + catalogue.orElse("not in the catalogue") + (isBad() ? ", " + String.join("; ", problems) : "");
    }

    /** Returns whether the jar could be read but the catalogue did not answer. */
    boolean lacksCatalogue() {
        return sha1.isPresent() && catalogue.isEmpty();
    }
}
