package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.text.Units;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A diagnosis: what is wrong with one pool, the numbers that show it, what to do, and what to expect then. Immutable.
 *
 * @param id which diagnosis, for instance {@code cpu-saturated}; stable, to search for and to switch off by
 * @param severity how bad it is
 * @param pool name of the pool
 * @param summary the cause with its decisive numbers, one sentence
 * @param advice what to do, and what to expect from it, one or two sentences
 * @param evidence the numbers, by name, in the best reading order; values are numbers, text, durations, booleans, or
 *     lists of these
 * @param recommendedSize the number of workers the pool should have, where the advice is a size
 * @param since when it was first seen
 */
public record Finding(
        String id,
        Severity severity,
        String pool,
        String summary,
        String advice,
        Map<String, Object> evidence,
        OptionalInt recommendedSize,
        Instant since) {

    /**
     * Name of the evidence with the smallest size that is as good as the recommended one, as far as one can tell: an
     * {@link Integer}. A raised finding keeps its recommended size until several intervals in a row exclude it.
     */
    public static final String SIZE_LOW = FindingChange.SIZE_LOW;

    /** Name of the evidence with the largest such size, an {@link Integer}. */
    public static final String SIZE_HIGH = FindingChange.SIZE_HIGH;

    private static final String PLACE = "place";
    private static final String STACK = "stack";
    private static final List<String> GAINS = List.of("gain", "gainWithoutLock");

    /** Copies the evidence; refuses null, in the evidence too. */
    public Finding {
        Objects.requireNonNull(id, "id must not be null");
        Objects.requireNonNull(severity, "severity must not be null");
        Objects.requireNonNull(pool, "pool must not be null");
        Objects.requireNonNull(summary, "summary must not be null");
        Objects.requireNonNull(advice, "advice must not be null");
        Objects.requireNonNull(recommendedSize, "recommendedSize must not be null");
        Objects.requireNonNull(since, "since must not be null");
        evidence = Collections.unmodifiableMap(new LinkedHashMap<>(evidence));
        for (Map.Entry<String, Object> each : evidence.entrySet()) {
            Objects.requireNonNull(each.getKey(), "names in evidence must not be null");
            Objects.requireNonNull(each.getValue(), "evidence " + each.getKey() + " must not be null");
        }
    }

    /**
     * {@return the line of code where the cause is seen, for instance {@code com.example.Orders.load(Orders.java:42)};
     * empty when the finding names none}
     */
    public Optional<String> place() {
        return evidence.get(PLACE) instanceof String place && !place.isEmpty() ? Optional.of(place) : Optional.empty();
    }

    /** {@return by which factor throughput is expected to grow; empty when the finding does not say} */
    public OptionalDouble gain() {
        return GAINS.stream()
                .map(evidence::get)
                .filter(Number.class::isInstance)
                .mapToDouble(value -> ((Number) value).doubleValue())
                .filter(gain -> Double.isFinite(gain) && gain > 0)
                .findFirst();
    }

    /** {@return the smallest size that is as good as the recommended one, as far as one can tell} */
    public OptionalInt sizeLow() {
        return integer(SIZE_LOW);
    }

    /** {@return the largest size that is as good as the recommended one, as far as one can tell} */
    public OptionalInt sizeHigh() {
        return integer(SIZE_HIGH);
    }

    private OptionalInt integer(String name) {
        return evidence.get(name) instanceof Integer number ? OptionalInt.of(number) : OptionalInt.empty();
    }

    /**
     * {@return the stack that shows the cause, top first, one line per frame; that of a lock's holder, where there is
     * one, because the cure is there; empty when there is none}
     */
    public List<String> stack() {
        return FindingChange.stack(evidence);
    }

    /**
     * Begins a finding about the pool of a window.
     *
     * @param id the diagnosis, in {@code kebab-case}, not blank
     * @param window where it was seen, not null
     * @return a builder; severity {@link Severity#WARNING} until told otherwise
     */
    public static Builder of(String id, PoolWindow window) {
        return new Builder(id, window);
    }

    Finding withSince(Instant earlier) {
        return new Finding(id, severity, pool, summary, advice, evidence, recommendedSize, earlier);
    }

    Finding withSummary(String other) {
        return new Finding(id, severity, pool, other, advice, evidence, recommendedSize, since);
    }

    Finding withEvidence(Map<String, Object> other) {
        return new Finding(id, severity, pool, summary, advice, other, recommendedSize, since);
    }

    /** Builds a finding. Not thread-safe. No argument may be null. */
    @SuppressWarnings("doclint:missing") // all setters return this builder
    public static final class Builder {
        private final String id;
        private final PoolWindow window;
        private final String pool;
        private final Map<String, Object> evidence = new LinkedHashMap<>();
        private Severity severity = Severity.WARNING;
        private String summary = "";
        private String advice = "";
        private String sizedAdvice = "";
        private String gain = "";
        private OptionalInt recommendedSize = OptionalInt.empty();
        private boolean isSizeChanged; // by the advice, though it recommends none
        private boolean isQueueChanged;
        private boolean isSaturationChanged;

        private Builder(String id, PoolWindow window) {
            if (id.isBlank()) {
                throw new IllegalArgumentException("id must not be blank (was \"" + id + "\")");
            }
            this.id = id;
            this.window = window;
            this.pool = window.pool();
        }

        /** Sets how bad it is. */
        public Builder severity(Severity howBad) {
            severity = Objects.requireNonNull(howBad, "severity must not be null");
            return this;
        }

        /** Sets the cause with its decisive numbers, as {@link String#format} does in the root locale. */
        public Builder summary(String format, Object... arguments) {
            summary = Units.format(format, arguments);
            return this;
        }

        /** Sets what to do, whether a size and a gain are said or not, as {@link String#format} does. */
        public Builder advice(String format, Object... arguments) {
            advice = Units.format(format, arguments);
            return this;
        }

        /**
         * Adds a number, or another fact, under a name in {@code camelCase}. Floating-point numbers are rounded to four
         * significant digits.
         */
        public Builder evidence(String name, Object value) {
            evidence.put(Objects.requireNonNull(name, "name must not be null"), Units.rounded(value));
            return this;
        }

        /** Adds the line of code where the cause is seen, for {@link Finding#place()}. */
        public Builder place(String line) {
            return evidence(PLACE, line);
        }

        /** Adds the stack that shows the cause, top first, one line per frame, for {@link Finding#stack()}. */
        public Builder stack(List<String> frames) {
            return evidence(STACK, frames);
        }

        /**
         * Sets the recommended number of workers. The advice names it too. It is said as it is, in every window, so it
         * is for sizes that are no measurement.
         *
         * @throws IllegalArgumentException if it is less than 1
         */
        public Builder recommendedSize(int workers) {
            if (workers < 1) {
                throw new IllegalArgumentException("recommendedSize must be >= 1 (was " + workers + ")");
            }
            recommendedSize = OptionalInt.of(workers);
            return this;
        }

        /**
         * Sets the recommended number of workers with its interval, and the advice that names it in place of the other
         * advice. It is said while windows agree about it, and neither while the pool stands still nor while the CPUs
         * are those of other processes.
         *
         * @throws IllegalArgumentException if the size is less than 1, or the advice does not name it
         */
        public Builder size(int low, int size, int high, String format, Object... arguments) {
            sizedAdvice = Units.format(format, arguments);
            if (!sizedAdvice.replace(",", "").contains(Integer.toString(size))) {
                throw new IllegalArgumentException("advice must name the size " + size + " (was " + sizedAdvice + ")");
            }
            return recommendedSize(size).evidence(SIZE_LOW, low).evidence(SIZE_HIGH, high);
        }

        /** Adds to the advice what to gain by it, which is not said while the pool stands still. */
        public Builder gain(String format, Object... arguments) {
            gain = Units.format(format, arguments);
            return this;
        }

        /**
         * Says that the advice changes the pool's size, so that the setting of the size is named. A recommended size
         * says so too.
         */
        public Builder changesSize() {
            isSizeChanged = true;
            return this;
        }

        /** Says that the advice changes the capacity of the queue, so that its setting is named. */
        public Builder changesQueue() {
            isQueueChanged = true;
            return this;
        }

        /** Says that the advice changes what happens when the pool is full, so that its setting is named. */
        public Builder changesSaturation() {
            isSaturationChanged = true;
            return this;
        }

        /** {@return the finding, since the end of the window} */
        public Finding build() {
            boolean isStill = SaidSize.isStill(evidence, window);
            String bare = withSettings(isStill ? advice : advice + gain);
            Instant since = window.end();
            String sized = sizedAdvice.isEmpty() ? "" : withSettings(sizedAdvice + gain);
            String unsized = sized.isEmpty() && recommendedSize.isPresent() ? naming(bare) : bare;
            Finding said = new Finding(id, severity, pool, summary, unsized, evidence, recommendedSize, since);
            return SaidSize.checked(said, sized, isStill, window);
        }

        /** The advice of a user's rule names the size, as the data do. */
        private String naming(String text) {
            String size = Integer.toString(recommendedSize.orElseThrow());
            if (text.replace(",", "").contains(size)) {
                return text;
            }
            String sentence = text.strip();
            String stop = sentence.isEmpty() || sentence.endsWith(".") ? " " : ". ";
            return (sentence + stop + "The recommended size is " + size + '.').strip();
        }

        private String withSettings(String text) {
            Optional<Neighbours.Setting> setting = Neighbours.settingOf(pool);
            return setting.isPresent() ? adviceWith(text, setting.get()) : text;
        }

        private String adviceWith(String text, Neighbours.Setting setting) {
            String more = named("The size", recommendedSize.isPresent() || isSizeChanged, setting.size())
                    + named("The queue's capacity", isQueueChanged, setting.queue())
                    + named("The policy", isSaturationChanged, setting.saturation())
                    + (setting.remark().isEmpty() ? "" : ' ' + setting.remark());
            String end = more.isEmpty() || text.isEmpty() || text.endsWith(".") ? "" : ".";
            return (text + end + more).strip();
        }

        private static String named(String what, boolean isChanged, String setting) {
            return isChanged && !setting.isEmpty() ? ' ' + what + " is set with " + setting + '.' : "";
        }
    }
}
