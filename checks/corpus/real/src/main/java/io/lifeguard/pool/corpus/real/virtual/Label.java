package io.lifeguard.pool.corpus.real.virtual;

import io.lifeguard.pool.corpus.looks.Standing;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What must be said of a sick program. Immutable.
 *
 * @param id the finding
 * @param cause a pattern for what limits the program, which the summary must contain
 * @param place the method with the line that the summary must name
 * @param holder a pattern for who holds it, which the summary must contain; empty where nobody can know
 * @param holderOutside the same for what is said from outside
 * @param may further findings that are true of it; all others are false
 */
record Label(String id, String cause, String place, String holder, String holderOutside, Set<String> may) {

    Label {
        may = Set.copyOf(may);
    }

    static Label of(String id, String cause, String place) {
        return new Label(id, cause, place, "", "", Set.of());
    }

    Label heldBy(String pattern) {
        return new Label(id, cause, place, pattern, pattern, may);
    }

    Label heldInsideBy(String pattern) {
        return new Label(id, cause, place, pattern, "", may);
    }

    Label may(String... ids) {
        return new Label(id, cause, place, holder, holderOutside, Set.of(ids));
    }

    boolean isCauseIn(Standing finding) {
        return finding.id().equals(id) && finds(cause, summary(finding));
    }

    boolean isPlaceIn(Standing finding) {
        return summary(finding).contains(place + "(");
    }

    boolean isHolderIn(Standing finding, boolean isOutside) {
        return finds(isOutside ? holderOutside : holder, summary(finding));
    }

    boolean isRight(Standing finding, boolean isOutside) {
        return isCauseIn(finding) && isPlaceIn(finding) && isHolderIn(finding, isOutside);
    }

    /** The lookouts append advice and evidence, in which a place might be by chance. */
    static String summary(Standing finding) {
        return finding.text().split(" \\| ", 2)[0];
    }

    private static boolean finds(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).find();
    }
}
