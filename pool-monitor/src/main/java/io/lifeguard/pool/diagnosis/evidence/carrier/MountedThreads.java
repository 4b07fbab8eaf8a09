package io.lifeguard.pool.diagnosis.evidence.carrier;

import io.lifeguard.pool.diagnosis.evidence.stack.ClassInitialisation;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Mounted;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Why;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what virtual threads do on their carriers from the JVM's print of its threads. Stateless. */
final class MountedThreads {

    private static final Pattern NAME = Pattern.compile("^\"(.*)\" #\\d+ .*");
    private static final Pattern FRAME = Pattern.compile(
            "^\\s+at ((?:[^/()]+/(?!0x))?)([\\w.$<>/]+)\\.([\\w$<>]+)\\((?:[^/()]+/)?([^():]*)(?::(\\d+))?\\)$");
    private static final Pattern INITIALISATION =
            Pattern.compile("^\\s+- waiting on the Class initialization monitor for (\\S+)");
    private static final Pattern MONITOR = Pattern.compile("^\\s+- waiting (?:to lock|on) <\\w+> \\(a ([^)]+)\\)");

    private MountedThreads() {}

    /** {@return what is mounted on each carrier that has a thread, in the order of the print} */
    static List<Mounted> read(String print) {
        List<Mounted> mounted = new ArrayList<>();
        String carrier = "";
        @Nullable Draft draft = null;
        for (String line : print.split("\n", -1)) {
            Matcher name = NAME.matcher(line);
            if (name.matches() || line.isBlank()) {
                add(draft, mounted);
                draft = null;
                carrier = name.matches() ? name.group(1) : "";
            } else if (line.contains("Mounted virtual thread #")) {
                draft = new Draft(carrier);
            } else if (draft != null) {
                draft.read(line);
            }
        }
        add(draft, mounted);
        return mounted;
    }

    private static void add(@Nullable Draft draft, List<Mounted> mounted) {
        if (draft != null && !draft.frames.isEmpty()) {
            mounted.add(draft.finished());
        }
    }

    /** One mounted thread, while its lines are read. */
    private static final class Draft {
        private final String carrier;
        private final List<StackTraceElement> frames = new ArrayList<>();
        private String initialised = "";
        private String monitor = "";

        Draft(String carrier) {
            this.carrier = carrier;
        }

        void read(String line) {
            Matcher frame = FRAME.matcher(line);
            Matcher initialisation = INITIALISATION.matcher(line);
            Matcher waiting = MONITOR.matcher(line);
            if (frame.matches()) {
                boolean isNative = "Native Method".equals(frame.group(4));
                int number = frame.group(5) == null ? (isNative ? -2 : -1) : Integer.parseInt(frame.group(5));
                frames.add(new StackTraceElement(
                        frame.group(2), frame.group(3), isNative ? null : frame.group(4), number));
            } else if (initialisation.find()) {
                initialised = initialisation.group(1);
            } else if (waiting.find()) {
                monitor = waiting.group(1);
            }
        }

        Mounted finished() {
            Optional<String> own = ClassInitialisation.outermost(frames);
            boolean waits = frames.stream().takeWhile(UserFrames::isJdk).anyMatch(Draft::isWait);
            String object = "";
            Why why = Why.COMPUTES;
            if (!initialised.isEmpty() || (waits && own.isPresent())) {
                why = Why.CLASS_INITIALISATION;
                object = initialised.isEmpty() ? own.orElse("") : initialised;
            } else if (!monitor.isEmpty()) {
                why = Why.MONITOR;
                object = monitor;
            } else if (waits || Waits.mayWaitInNative(frames.get(0))) {
                why = Why.NATIVE;
            }
            return new Mounted(
                    carrier,
                    why,
                    why == Why.CLASS_INITIALISATION ? ClassInitialisation.place(frames) : UserFrames.place(frames),
                    object,
                    frames.stream().map(StackTraceElement::toString).toList());
        }

        /** A thread that parks while it is pinned does so on its carrier. */
        private static boolean isWait(StackTraceElement frame) {
            return frame.getMethodName().equals("parkOnCarrierThread")
                    || (frame.getClassName().equals("java.lang.Object")
                            && frame.getMethodName().startsWith("wait"));
        }
    }
}
