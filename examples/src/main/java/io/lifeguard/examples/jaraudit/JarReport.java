package io.lifeguard.examples.jaraudit;

import java.util.List;
import java.util.Optional;

/**
 * What the audit of one jar found. Immutable; two audits of the same jar give equal reports.
 *
 * @param jar which jar
 * @param bytes its length
 * @param sha1 its SHA-1, unless it could not be read
 * @param checksum how that compares with the file beside it
 * @param entries how many files it holds
 * @param inflatedBytes how long they are together
 * @param catalogue what the catalogue knows about it, unless it was not asked or did not answer
 * @param problems what is wrong with it; empty for a good jar
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

    /** How a jar compares with the checksum beside it. */
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

    /** Returns what another audit must find as well, in one line. */
    String findings() {
        return checksum + ", " + Printable.count(entries, "file") + ", " + Printable.bytes(inflatedBytes) + ", "
                + catalogue.orElse("not in the catalogue") + (isBad() ? ", " + String.join("; ", problems) : "");
    }

    /** Returns whether the jar could be read, and the catalogue did not answer. */
    boolean lacksCatalogue() {
        return sha1.isPresent() && catalogue.isEmpty();
    }
}
