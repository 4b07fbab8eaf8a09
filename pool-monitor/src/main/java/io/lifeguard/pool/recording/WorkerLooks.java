package io.lifeguard.pool.recording;

import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Looks at all workers of a pool in one window: at each moment, what each worker did. Immutable.
 *
 * <p>As text, sixteen workers and twenty looks take half a kilobyte. The first line has the moments, the next ones what
 * workers did, one line each. Behind an empty line follow the rows of workers, each different one once, and behind
 * another one the workers with the numbers of their rows. Workers with consecutive names are one line, so five hundred
 * that differ little take a kilobyte.
 *
 * @param moments of the looks, in nanoseconds since the window began, growing
 * @param acts what workers did; the workers refer to it by number
 */
public record WorkerLooks(List<Long> moments, List<Act> acts, List<Worker> workers) {

    /** The number of a moment at which a worker was not there. */
    public static final int ABSENT = -1;

    private static final long TICK = 100_000; // 0.1 ms

    /** Of workers, and of their looks: five times what a window has. A hostile text may ask for any number. */
    private static final int MOST_READ = 100_000;

    private static final long CPU_TICK = 10_000; // 10 µs
    private static final List<Doing> DOINGS = List.of(Doing.values());
    private static final String DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    /** Copies the lists. */
    public WorkerLooks {
        moments = List.copyOf(moments);
        acts = List.copyOf(acts);
        workers = List.copyOf(workers);
    }

    /**
     * What a worker did.
     *
     * @param isRunnable whether its thread was in the state {@link Thread.State#RUNNABLE}, in which it is on a CPU,
     *     waits for one, or is in a native call that may wait for something outside
     * @param place the first frame that is the user's own; empty when no stack told
     * @param awaited what it waited for; empty when it did not wait, or it is unknown
     * @param holder the thread that held the lock; empty when there is none, or it is unknown
     * @param stack number of its {@link Observation.WorkerStack}; 0 when no stack told
     */
    public record Act(Doing doing, boolean isRunnable, String place, String awaited, String holder, long stack) {

        /** Refuses null. */
        public Act {
            Objects.requireNonNull(doing, "doing must not be null");
            Objects.requireNonNull(place, "place must not be null");
            Objects.requireNonNull(awaited, "awaited must not be null");
            Objects.requireNonNull(holder, "holder must not be null");
        }

        /** Written out: that of a record takes a starting JVM 10 ms of CPU time to link. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Act act
                    && doing == act.doing
                    && isRunnable == act.isRunnable
                    && stack == act.stack
                    && place.equals(act.place)
                    && awaited.equals(act.awaited)
                    && holder.equals(act.holder);
        }

        @Override
        public int hashCode() {
            int hash = 31 * doing.hashCode() + Boolean.hashCode(isRunnable);
            hash = 31 * hash + place.hashCode();
            hash = 31 * hash + awaited.hashCode();
            hash = 31 * hash + holder.hashCode();
            return 31 * hash + Long.hashCode(stack);
        }
    }

    /**
     * One worker.
     *
     * @param cpuNanos CPU time that it used in the window; empty where that is unknown
     * @param delayNanos how long it was ready to run and had no CPU; empty where that is unknown
     * @param acts the number of what it did at each moment, or {@link #ABSENT}
     */
    public record Worker(String thread, OptionalLong cpuNanos, OptionalLong delayNanos, List<Integer> acts) {

        /** Copies the list. */
        public Worker {
            Objects.requireNonNull(thread, "thread must not be null");
            Objects.requireNonNull(cpuNanos, "cpuNanos must not be null");
            Objects.requireNonNull(delayNanos, "delayNanos must not be null");
            acts = List.copyOf(acts);
        }
    }

    /** {@return the text, of which {@link #read} makes equal looks, but for moments in 0.1 ms and times in 10 µs} */
    public String text() {
        StringBuilder out = new StringBuilder();
        long last = 0;
        for (long moment : moments) {
            put(out, Math.max(0, moment / TICK - last));
            last = Math.max(last, moment / TICK);
        }
        for (Act act : acts) {
            out.append('\n').append((char) ('a' + DOINGS.indexOf(act.doing()))).append(act.isRunnable() ? '+' : '-');
            out.append(escaped(act.place()))
                    .append('\t')
                    .append(escaped(act.awaited()))
                    .append('\t');
            out.append(escaped(act.holder())).append('\t').append(Long.toHexString(act.stack()));
        }
        Map<String, Integer> patterns = new LinkedHashMap<>();
        List<Integer> numbers = new ArrayList<>();
        for (Worker worker : workers) {
            String pattern = pattern(worker);
            patterns.putIfAbsent(pattern, patterns.size());
            numbers.add(patterns.get(pattern));
        }
        out.append('\n');
        for (String pattern : patterns.keySet()) {
            out.append('\n').append(pattern);
        }
        out.append('\n');
        for (int i = 0; i < workers.size(); ) {
            boolean follows = i > 0
                    && workers.get(i).thread().equals(next(workers.get(i - 1).thread()));
            if (!follows) {
                out.append('\n').append(escaped(workers.get(i).thread())).append('\t');
            }
            int until = i + 1;
            while (until < workers.size()
                    && numbers.get(until).equals(numbers.get(i))
                    && workers.get(until)
                            .thread()
                            .equals(next(workers.get(until - 1).thread()))) {
                until++;
            }
            put(out, numbers.get(i));
            put(out, until - i);
            i = until;
        }
        return out.toString();
    }

    private static String pattern(Worker worker) {
        StringBuilder out = new StringBuilder();
        put(out, worker.cpuNanos().isPresent() ? 1 + worker.cpuNanos().getAsLong() / CPU_TICK : 0);
        put(out, worker.delayNanos().isPresent() ? 1 + worker.delayNanos().getAsLong() / CPU_TICK : 0);
        List<Integer> acts = worker.acts();
        for (int i = 0; i < acts.size(); ) {
            int until = i + 1;
            while (until < acts.size() && acts.get(until).equals(acts.get(i))) {
                until++;
            }
            put(out, until - i);
            put(out, acts.get(i) + 1L);
            i = until;
        }
        return out.toString();
    }

    /** {@return the name after this one in a row of numbered names; empty when it has no number} */
    private static String next(String name) {
        int digits = name.length();
        while (digits > 0 && name.charAt(digits - 1) >= '0' && name.charAt(digits - 1) <= '9') {
            digits--;
        }
        boolean isNumber = digits < name.length() && name.length() - digits <= 9 && name.charAt(digits) != '0';
        return isNumber ? name.substring(0, digits) + (Integer.parseInt(name.substring(digits)) + 1) : "";
    }

    /**
     * Reads looks.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    public static WorkerLooks read(String text) {
        try {
            return readLines(text.split("\n", -1));
        } catch (IndexOutOfBoundsException | ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("text must be packed looks (had " + text.length() + " characters)", e);
        }
    }

    private static WorkerLooks readLines(String[] lines) {
        List<Long> moments = new ArrayList<>();
        long sum = 0;
        for (long delta : numbers(lines[0])) {
            sum += delta;
            moments.add(sum * TICK);
        }
        List<Act> acts = new ArrayList<>();
        int line = 1;
        while (line < lines.length && !lines[line].isEmpty()) {
            String[] parts = lines[line].substring(2).split("\t", -1);
            int doing = lines[line].charAt(0) - 'a';
            acts.add(new Act(
                    doing >= 0 && doing < DOINGS.size() ? DOINGS.get(doing) : Doing.UNKNOWN,
                    lines[line].charAt(1) == '+',
                    unescaped(parts[0]),
                    unescaped(parts[1]),
                    unescaped(parts[2]),
                    Long.parseUnsignedLong(parts[3], 16)));
            line++;
        }
        List<Worker> patterns = new ArrayList<>();
        int looks = 0;
        for (line++; line < lines.length && !lines[line].isEmpty(); line++) {
            Worker pattern = worker("", numbers(lines[line]), MOST_READ - looks);
            looks += pattern.acts().size();
            patterns.add(pattern);
        }
        List<Worker> workers = new ArrayList<>();
        for (line++; line < lines.length; line++) {
            String[] parts = lines[line].split("\t", -1);
            String name = unescaped(parts[0]);
            List<Long> runs = numbers(parts[1]);
            for (int i = 0; i < runs.size(); i += 2) {
                Worker like = patterns.get(Math.toIntExact(runs.get(i)));
                for (long left = runs.get(i + 1); left > 0 && workers.size() < MOST_READ; left--) {
                    workers.add(new Worker(name, like.cpuNanos(), like.delayNanos(), like.acts()));
                    name = next(name);
                }
            }
        }
        return new WorkerLooks(moments, acts, workers);
    }

    private static Worker worker(String thread, List<Long> numbers, int most) {
        List<Integer> acts = new ArrayList<>();
        for (int i = 2; i < numbers.size(); i += 2) {
            for (long left = numbers.get(i); left > 0 && acts.size() < most; left--) {
                acts.add((int) (numbers.get(i + 1) - 1));
            }
        }
        return new Worker(thread, nanos(numbers.get(0)), nanos(numbers.get(1)), acts);
    }

    private static OptionalLong nanos(long stored) {
        return stored == 0 ? OptionalLong.empty() : OptionalLong.of((stored - 1) * CPU_TICK);
    }

    // ---- numbers as base-64 digits of five bits, the lowest first, where 32 says that more follow ----

    private static void put(StringBuilder out, long number) {
        long rest = number;
        while (rest > 31) {
            out.append(DIGITS.charAt((int) (rest & 31) | 32));
            rest >>>= 5;
        }
        out.append(DIGITS.charAt((int) rest));
    }

    private static List<Long> numbers(String text) {
        List<Long> numbers = new ArrayList<>();
        long number = 0;
        int shift = 0;
        for (int i = 0; i < text.length(); i++) {
            char digit = text.charAt(i);
            long value = DIGITS.indexOf(digit);
            if (value < 0 || shift > 60) {
                throw new NumberFormatException("digit must be of base 64 (was " + digit + ")");
            }
            number |= (value & 31) << shift;
            shift += 5;
            if (value < 32) {
                numbers.add(number);
                number = 0;
                shift = 0;
            }
        }
        return numbers;
    }

    /** One line holds one entry, whatever users' names contain. */
    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("\n", "\\n")
                .replace("\t", "\\t")
                .replace("\r", "\\r");
    }

    private static String unescaped(String text) {
        if (text.indexOf('\\') < 0) {
            return text;
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                char next = text.charAt(++i);
                out.append(next == 'n' ? '\n' : next == 't' ? '\t' : next == 'r' ? '\r' : next);
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
