package io.lifeguard.pool.corpus.real;

import io.lifeguard.pool.corpus.looks.Course;
import io.lifeguard.pool.corpus.real.systems.RealSystem;
import io.lifeguard.pool.corpus.report.MachinesReport;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

/**
 * How a system was judged, sick and cured. Immutable.
 *
 * @param system the system
 * @param sick the run with the sickness
 * @param cured the run with the advice followed
 */
record RealOutcome(RealSystem system, RealRun sick, RealRun cured) {

    /** Seconds from the beginning of the load to the first right finding. */
    OptionalDouble seconds() {
        return sick.course().secondsTo(system.must());
    }

    /** Whether a right finding names the place. */
    boolean namesPlace() {
        return sick.course().names(system.must(), system.place());
    }

    /** The share of looks in which a right finding stands, once it was seen. */
    OptionalDouble standing() {
        return underLoad().standing(system.must());
    }

    long contradictory() {
        return underLoad().contradictory(system.must());
    }

    private Course underLoad() {
        return sick.course().between(0, Long.MAX_VALUE);
    }

    /** The findings of the sick form that are neither right nor true as well, from the JVM's start. */
    Set<String> falseFindings() {
        Set<String> ids = sick.course().found();
        ids.removeAll(system.must());
        ids.removeAll(system.may());
        return ids;
    }

    /** The findings of the cured form, from the JVM's start. All of them are false. */
    Set<String> findingsWhenCured() {
        return cured.course().found();
    }

    /** How many times as much is done when the advice was followed. */
    double gain() {
        return cured.perSecond() / sick.perSecond();
    }

    /** Whether cause and place are right, and nothing else was found in either form. */
    boolean isRight() {
        return seconds().isPresent()
                && namesPlace()
                && falseFindings().isEmpty()
                && findingsWhenCured().isEmpty()
                && contradictory() == 0;
    }

    /** The whole in the short form of a cell. */
    String cell() {
        Set<String> missed = seconds().isPresent() ? Set.of() : system.must();
        String found = seconds().isEmpty()
                ? ""
                : "%.1f s, stands in %.0f %%%s"
                        .formatted(
                                seconds().getAsDouble(),
                                100 * standing().orElse(0),
                                namesPlace() ? "" : ", **no place**");
        Set<String> wrong = new TreeSet<>(falseFindings());
        wrong.addAll(findingsWhenCured());
        return MachinesReport.cell(missed, wrong, found);
    }
}
