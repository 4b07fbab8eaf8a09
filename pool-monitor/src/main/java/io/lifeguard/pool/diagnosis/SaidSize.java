package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.bottleneck.Circumstances;
import io.lifeguard.pool.diagnosis.bottleneck.Standstill;
import io.lifeguard.pool.diagnosis.sizing.Sizing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a finding says its size: the one place that every size and gain of every rule passes. Confined to the
 * monitor's thread.
 *
 * <p>A finding that a rule builds has its advice with a size, and the one without it among its evidence
 * ({@link #checked}). While the pool stands still, nothing is gained by any size, so neither is said, nor how certain
 * they are. While other processes have the CPUs, no size is said.
 *
 * <p>The size of one window may be that of a bad second. So it is named only when two windows agree that are
 * {@value #APART} windows apart. It is renewed every {@value #RENEWED} windows, says its age, and is taken back when
 * {@value #DIFFERENT} windows in a row do not confirm it. Data and text have the size together, or neither has it.
 */
final class SaidSize {

    /** In the evidence until it is decided whether the size is said: the advice in place of the one that names it. */
    static final String UNSIZED_ADVICE = "adviceWithoutSize";

    private static final String NO_SIZE = "noSizeBecause";
    private static final String STANDS_STILL = "standsStillFor";
    private static final String WORKERS = "workers"; // the pool's size when it was found
    private static final String AGE = "sizeAge";

    private static final double APART = 1.5; // windows: the second one after it, though windows may be a little short
    private static final double RENEWED = 5; // windows: a few seconds, so that text does not change all the time
    private static final double DIFFERENT = 3; // windows: one of forty excludes a right size by chance
    private static final int FEWEST_LOOKS = 2; // windows; none decides alone, however long it is
    private static final double ALMOST = 0.95; // windows are a little shorter than planned at times
    private static final double CLOSE = 0.2; // of the larger size: its throughput differs by a few percent
    private static final double NOT_FAR = 0.5; // of the larger size, where each interval holds the other size

    private @Nullable Finding candidate; // the first of two windows that are to agree
    private double candidateAge; // windows
    private @Nullable Finding named; // where its size comes from
    private double age; // windows
    private Duration seconds = Duration.ZERO; // the same as a time
    private double unconfirmed; // windows
    private int unconfirmedLooks; // the same in looks

    /** Whether the pool of a finding stands still, as its rule says or its window shows. */
    static boolean isStill(Map<String, Object> evidence, PoolWindow window) {
        return evidence.containsKey(STANDS_STILL)
                || Standstill.of(window).isPresent()
                || Standstill.mayStandStill(window);
    }

    /**
     * {@return the finding of a rule without what must not be said of this window}
     *
     * @param finding with the advice without a size
     * @param sized the advice that names the size; empty without a size
     */
    static Finding checked(Finding finding, String sized, boolean isStill, PoolWindow window) {
        Map<String, Object> evidence = new LinkedHashMap<>(finding.evidence());
        if (isStill) {
            evidence.keySet().removeIf(SaidSize::isPromise);
        }
        if (sized.isEmpty()) {
            return isStill ? finding.withEvidence(evidence) : finding;
        }
        Optional<String> why = isStill ? Optional.of("nothing is completed") : Sizing.others(window);
        if (why.isPresent()) {
            return without(finding.withEvidence(evidence), why.get());
        }
        evidence.put(UNSIZED_ADVICE, finding.advice());
        return with(finding, sized, evidence, finding.recommendedSize());
    }

    private static boolean isPromise(String name) {
        return name.startsWith("gain") || isOfTheSize(name);
    }

    /** What holds for the recommended size only, and is said and kept with it. */
    private static boolean isOfTheSize(String name) {
        return switch (name) {
            case Finding.SIZE_LOW,
                    Finding.SIZE_HIGH,
                    UNSIZED_ADVICE,
                    AGE,
                    "tryNext",
                    "sizeHoldsWhile",
                    "bookFormula",
                    "certainty",
                    "doubts" -> true;
            default -> name.startsWith("expected");
        };
    }

    private static Finding without(Finding finding, String why) {
        Map<String, Object> evidence = new LinkedHashMap<>(finding.evidence());
        Object advice = evidence.getOrDefault(UNSIZED_ADVICE, finding.advice());
        evidence.keySet().removeIf(SaidSize::isOfTheSize);
        evidence.putIfAbsent(NO_SIZE, why);
        return with(finding, advice.toString(), evidence, OptionalInt.empty());
    }

    private static Finding with(Finding finding, String advice, Map<String, Object> evidence, OptionalInt size) {
        return new Finding(
                finding.id(),
                finding.severity(),
                finding.pool(),
                finding.summary(),
                advice,
                evidence,
                size,
                finding.since());
    }

    /** {@return what is said of a finding that a rule has found in a window} */
    Finding of(Finding found, Circumstances circumstances) {
        age += circumstances.windows();
        candidateAge += circumstances.windows();
        seconds = seconds.plus(circumstances.length());
        if (found.recommendedSize().isPresent() && !found.evidence().containsKey(UNSIZED_ADVICE)) {
            return found; // a user's rule has its reasons
        }
        if (isOfAnotherSize(named, found) || isOfAnotherSize(candidate, found)) {
            forget(); // its figures are those of a pool that no longer exists
        }
        if (found.recommendedSize().isPresent()) {
            enter(found, circumstances);
        } else {
            enterNone(found, circumstances);
        }
        if (named != null) {
            return sized(found, named);
        }
        return found.recommendedSize().isEmpty() ? found : without(found, "no second window has confirmed a size yet");
    }

    private static boolean isOfAnotherSize(@Nullable Finding before, Finding found) {
        return before != null
                && !Objects.equals(
                        before.evidence().get(WORKERS), found.evidence().get(WORKERS));
    }

    private void enter(Finding found, Circumstances circumstances) {
        if (named != null && !agree(named, found)) {
            miss(circumstances);
        } else if (named != null) {
            unconfirmed = 0;
            unconfirmedLooks = 0;
            if (age >= ALMOST * RENEWED) {
                name(found);
            }
        }
        if (named == null) {
            if (candidate == null || !agree(candidate, found)) {
                candidate = found;
                candidateAge = 0;
            } else if (candidateAge >= ALMOST * APART) {
                name(found);
            }
        }
    }

    private void enterNone(Finding found, Circumstances circumstances) {
        if (found.evidence().containsKey(STANDS_STILL)
                || String.valueOf(found.evidence().get(NO_SIZE)).startsWith(Sizing.OTHERS)) {
            forget();
        } else {
            miss(circumstances);
        }
    }

    private void miss(Circumstances circumstances) {
        unconfirmed += circumstances.windows();
        unconfirmedLooks++;
        if (unconfirmedLooks >= FEWEST_LOOKS && unconfirmed >= ALMOST * DIFFERENT) {
            forget();
        }
    }

    private void name(Finding found) {
        named = found;
        age = 0;
        seconds = Duration.ZERO;
        unconfirmed = 0;
        unconfirmedLooks = 0;
        candidate = null;
    }

    private void forget() {
        named = null;
        candidate = null;
    }

    /** Takes the size out of what was shown, because nothing has confirmed it for a minute. */
    Finding takenBack(Finding shown) {
        Finding measured = named;
        forget();
        Object unsized = measured == null ? null : measured.evidence().get(UNSIZED_ADVICE);
        return unsized == null
                ? shown
                : without(with(shown, unsized.toString(), shown.evidence(), OptionalInt.empty()), "it is too old");
    }

    private Finding sized(Finding found, Finding measured) {
        Map<String, Object> evidence = new LinkedHashMap<>(found.evidence());
        evidence.keySet().removeIf(name -> isOfTheSize(name) || name.equals(NO_SIZE));
        measured.evidence().forEach((name, value) -> {
            if (isOfTheSize(name) && !name.equals(UNSIZED_ADVICE)) {
                evidence.put(name, value);
            }
        });
        evidence.put(AGE, Duration.ofSeconds(seconds.toSeconds()));
        String old = age <= RENEWED ? "" : " (the size of " + Units.time(seconds) + " ago)";
        return with(found, measured.advice() + old, evidence, measured.recommendedSize());
    }

    /** Whether two sizes do as much: they are close, or not far apart, and each interval holds the other size. */
    private static boolean agree(Finding one, Finding other) {
        int a = one.recommendedSize().orElse(0);
        int b = other.recommendedSize().orElse(0);
        int apart = Math.abs(a - b);
        int larger = Math.max(a, b);
        return apart <= Math.max(1, CLOSE * larger) || (apart <= NOT_FAR * larger && isIn(one, b) && isIn(other, a));
    }

    private static boolean isIn(Finding finding, int size) {
        return finding.sizeLow().orElse(Integer.MAX_VALUE) <= size
                && size <= finding.sizeHigh().orElse(Integer.MIN_VALUE);
    }
}
