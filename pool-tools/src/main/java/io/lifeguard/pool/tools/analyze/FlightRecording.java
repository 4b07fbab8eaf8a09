package io.lifeguard.pool.tools.analyze;

import io.lifeguard.pool.diagnosis.evidence.stack.Stacks;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.text.Units;
import io.lifeguard.pool.tools.analyze.StackReader.Stack;
import io.lifeguard.pool.tools.analyze.ThreadHistory.Kind;
import io.lifeguard.pool.tools.analyze.ThreadHistory.Sample;
import io.lifeguard.pool.tools.analyze.ThreadHistory.Stay;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.dumps.ThreadDumps;
import io.lifeguard.pool.tools.recording.RecordedProcess;
import io.lifeguard.pool.tools.recording.RecordingReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * What a flight recording of the JDK or of async-profiler tells of threads and process. Not thread-safe. Times are
 * nanoseconds since 1970.
 */
public final class FlightRecording {

    static final String ORACLE_9 = "com.oracle.jdk.";

    private static final long SECOND = 1_000_000_000L;

    /** {@code jdk.ThreadCPULoad} comes each ten seconds. */
    private static final long LOAD_PERIOD = 10 * SECOND;

    private static final long USUAL_SAMPLE_PERIOD = 20_000_000L;

    /** The JVM records its CPU load each second, and a profiler its samples. */
    private static final long GAP = 60 * SECOND;

    /** A longer wait is cut off: a damaged file may hold any length. */
    private static final long LONGEST = 86_400 * SECOND;

    private final Map<Long, ThreadHistory> threads = new HashMap<>(); // by the system's number
    private final ProcessHistory process = new ProcessHistory();
    private final StackReader stacks = new StackReader();
    private final RecordedProcess program = new RecordedProcess();
    private final List<Observation> own = new ArrayList<>();
    private final Map<Long, String> types = new HashMap<>(); // names of the kinds of events, by their numbers
    private final Map<String, String> settings = new HashMap<>(); // by event, #, name
    private final Set<String> seen = new HashSet<>(); // names of the kinds of events
    private final List<Load> loads = new ArrayList<>(); // until the number of CPUs is known
    private final List<ThreadDump> dumps = new ArrayList<>();
    private final TreeMap<Long, Long> spans = new TreeMap<>(); // end by begin, more than a gap apart
    private long begin = Long.MAX_VALUE;
    private long end = Long.MIN_VALUE;
    private Optional<String> problem = Optional.empty();

    private record Load(long thread, long time, double share) {}

    private FlightRecording() {}

    /**
     * Reads a recording.
     *
     * @return what it holds, as far as it can be read
     */
    public static FlightRecording read(Path file) throws IOException {
        FlightRecording recording = new FlightRecording();
        try (RecordingFile events = new RecordingFile(file)) {
            recording.readAll(events);
        }
        recording.order();
        return recording;
    }

    /** {@return what Lifeguard has recorded, if the program has it, in the order in which it began} */
    public List<Observation> own() {
        return own;
    }

    /** {@return what the recording tells of its process} */
    public RecordedProcess program() {
        return program;
    }

    private void readAll(RecordingFile events) {
        readTypes(events);
        try {
            RecordingReader.readAll(events, own, event -> {
                program.accept(event);
                readIfUnderstood(event);
            });
        } catch (IOException | RuntimeException e) { // the JDK's reader throws many kinds for a broken file
            problem = Optional.of("it breaks off: " + e);
        }
    }

    /** Reads ahead to the last chunk. Where that one breaks off, the events of the first ones can be read still. */
    private void readTypes(RecordingFile events) {
        try {
            for (EventType type : events.readEventTypes()) {
                types.put(type.getId(), type.getName());
            }
        } catch (IOException | RuntimeException e) { // the JDK's reader throws many kinds for a broken file
            problem = Optional.of("it breaks off: " + e);
        }
    }

    /** Where a writer leaves out a field, or a text is damaged, the other events still tell something. */
    private void readIfUnderstood(RecordedEvent event) {
        try {
            read(event);
        } catch (RuntimeException e) {
            if (problem.isEmpty()) {
                problem = Optional.of("some of its events could not be understood: " + e);
            }
        }
    }

    private void order() {
        own.sort(Comparator.comparingLong(Observation::startNanos));
        double cpus = process.activeCpus();
        for (Load load : loads) {
            ThreadHistory thread = threads.get(load.thread());
            if (cpus > 0 && thread != null) {
                thread.addLoad(load.time() - LOAD_PERIOD - SECOND, load.time(), load.share() * cpus);
            }
        }
        if ("true".equals(settings.get("jdk.GarbageCollection#enabled"))) {
            process.countsPauses();
        }
        process.order();
        threads.values().forEach(thread -> thread.order(end));
    }

    private void read(RecordedEvent event) {
        String type = event.getEventType().getName();
        if (!type.startsWith("jdk.") && !type.startsWith("profiler.")) {
            return;
        }
        long from = Observation.nanos(event.getStartTime());
        long to = from + Math.max(0, event.getDuration().toNanos());
        seen.add(type);
        switch (type) {
            case "jdk.ThreadPark" -> readPark(event, from, to);
            case "jdk.JavaMonitorEnter" -> readEnter(event, from, to);
            case "jdk.JavaMonitorWait" ->
                readStay(event, from, to, timed(event), stack -> Stacks.doing(timed(event), stack, ""));
            case "jdk.ThreadSleep" -> readStay(event, from, to, Thread.State.TIMED_WAITING, stack -> Doing.SLEEPING);
            case "jdk.SocketRead",
                    "jdk.SocketWrite",
                    "jdk.SocketConnect",
                    "jdk.FileRead",
                    "jdk.FileWrite",
                    "jdk.FileForce" -> readStay(event, from, to, Thread.State.RUNNABLE, stack -> Doing.WAITING_OUTSIDE);
            case "jdk.ExecutionSample", "jdk.NativeMethodSample", "profiler.WallClockSample" ->
                readSample(event, type, from);
            case "jdk.ThreadDump" -> readDump(event, from);
            case "jdk.ThreadStart" -> thread(event, "thread").ifPresent(thread -> thread.beginsAt(from));
            case "jdk.ThreadEnd" -> thread(event, "thread").ifPresent(thread -> thread.endsAt(from));
            case "jdk.ThreadCPULoad" ->
                thread(event, "eventThread")
                        .ifPresent(thread -> loads.add(
                                new Load(thread.id, from, event.getFloat("user") + event.getFloat("system"))));
            default -> readProcess(event, type, from);
        }
        if (!type.equals("jdk.ActiveSetting") && !type.equals("jdk.ActiveRecording")) {
            begin = Math.min(begin, from);
            end = Math.max(end, to);
            cover(from, Math.min(to, from + LONGEST));
        }
    }

    private void cover(long from, long to) {
        long first = from;
        long last = to;
        for (Map.Entry<Long, Long> near = spans.floorEntry(to + GAP);
                near != null && near.getValue() >= first - GAP;
                near = spans.floorEntry(last + GAP)) {
            if (near.getKey() <= first && near.getValue() >= last) {
                return;
            }
            spans.remove(near.getKey());
            first = Math.min(first, near.getKey());
            last = Math.max(last, near.getValue());
        }
        spans.put(first, last);
    }

    private void readProcess(RecordedEvent event, String type, long time) {
        switch (type) {
            case "jdk.CPULoad" ->
                process.load(
                        time, event.getFloat("jvmUser"), event.getFloat("jvmSystem"), event.getFloat("machineTotal"));
            case "jdk.CPUInformation" -> process.machineCpus(event.getInt("hwThreads"));
            case "jdk.ContainerConfiguration" ->
                process.container(
                        number(event, "effectiveCpuCount"), number(event, "cpuQuota"), number(event, "cpuSlicePeriod"));
            case "jdk.ContainerCPUThrottling" -> process.throttled(time, number(event, "cpuThrottledTime"));
            case "jdk.GarbageCollection" ->
                process.pause(time, event.getDuration("sumOfPauses").toNanos());
            case "jdk.ActiveSetting" ->
                settings.put(
                        types.getOrDefault(event.getLong("id"), "") + '#' + event.getString("name"),
                        String.valueOf(event.getString("value")));
            default -> {
                // tells nothing of threads
            }
        }
    }

    /** A number, or a length of time in nanoseconds; 0 when it is missing. */
    private static long number(RecordedEvent event, String field) {
        Object value = event.hasField(field) ? event.getValue(field) : null;
        return value instanceof Number number ? number.longValue() : 0;
    }

    // ---- waits ----

    private interface Judge {
        Doing doing(List<StackTraceElement> stack);
    }

    private void readPark(RecordedEvent event, long from, long to) {
        String type = className(event, "parkedClass");
        Thread.State state = timed(event);
        Optional<Lock> object = type.isEmpty() ? Optional.empty() : Optional.of(new Lock(address(event), type));
        addStay(event, from, to, state, stack -> Stacks.doing(state, stack, type), object, 0);
    }

    private void readEnter(RecordedEvent event, long from, long to) {
        String type = className(event, "monitorClass");
        long owner = thread(event, "previousOwner").map(thread -> thread.id).orElse(0L);
        addStay(
                event,
                from,
                to,
                Thread.State.BLOCKED,
                stack -> Doing.WAITING_FOR_LOCK,
                Optional.of(new Lock(address(event), type.isEmpty() ? "java.lang.Object" : type)),
                owner);
    }

    private void readStay(RecordedEvent event, long from, long to, Thread.State state, Judge judge) {
        addStay(event, from, to, state, judge, Optional.empty(), 0);
    }

    private void addStay(
            RecordedEvent event,
            long from,
            long to,
            Thread.State state,
            Judge judge,
            Optional<Lock> object,
            long owner) {
        thread(event, "eventThread").ifPresent(thread -> {
            Stack stack = stacks.read(event.getStackTrace());
            Doing doing = stack.frames().isEmpty() && state != Thread.State.BLOCKED
                    ? Doing.UNKNOWN
                    : judge.doing(stack.frames());
            thread.add(new Stay(from, to, look(thread, state, stack, doing, object), owner));
        });
    }

    private static DumpedThread look(
            ThreadHistory thread, Thread.State state, Stack stack, Doing doing, Optional<Lock> object) {
        return new DumpedThread(thread.name, OptionalLong.of(thread.id), state, stack.frames(), doing, object);
    }

    private static Thread.State timed(RecordedEvent event) {
        boolean isTimed = number(event, "timeout") > 0 || number(event, "until") > 0;
        return isTimed ? Thread.State.TIMED_WAITING : Thread.State.WAITING;
    }

    private static String address(RecordedEvent event) {
        return "0x" + Long.toHexString(number(event, "address"));
    }

    private static String className(RecordedEvent event, String field) {
        return event.hasField(field) && event.getValue(field) instanceof RecordedClass type ? type.getName() : "";
    }

    // ---- looks ----

    private void readSample(RecordedEvent event, String type, long time) {
        thread(event, "sampledThread").ifPresent(thread -> {
            Stack stack = stacks.read(event.getStackTrace());
            String state = event.hasField("state") ? String.valueOf(event.getString("state")) : "";
            boolean isNative = type.equals("jdk.NativeMethodSample");
            if (state.equals("STATE_SLEEPING") && !isNative) {
                readSleeping(thread, stack, time, number(event, "samples") > 1);
            } else if (!stack.frames().isEmpty()) {
                Doing doing = isNative ? Stacks.doing(Thread.State.RUNNABLE, stack.frames(), "") : Doing.COMPUTING;
                Kind kind = type.startsWith("profiler.") ? Kind.LOOK : isNative ? Kind.IN_NATIVE : Kind.RUNNING;
                thread.add(new Sample(time, kind, look(thread, Thread.State.RUNNABLE, stack, doing, Optional.empty())));
            }
        });
    }

    /**
     * A profiler that looks at all threads says that one waits, and its stack for what. Several samples in one event
     * are of one wait.
     */
    private static void readSleeping(ThreadHistory thread, Stack stack, long time, boolean lasts) {
        if (stack.frames().isEmpty()) {
            return;
        }
        StackTraceElement top = stack.frames().get(0);
        Thread.State state = Thread.State.RUNNABLE;
        if (stack.entersMonitor()) {
            state = Thread.State.BLOCKED;
        } else if (top.getMethodName().equals("park") || top.getMethodName().startsWith("wait")) {
            state = Thread.State.WAITING;
        } else if (top.getMethodName().startsWith("sleep")) {
            state = Thread.State.TIMED_WAITING;
        }
        Doing doing = state == Thread.State.RUNNABLE && !top.isNativeMethod()
                ? Doing.UNKNOWN
                : Stacks.doing(state, stack.frames(), "");
        thread.add(new Sample(time, Kind.LOOK, look(thread, state, stack, doing, Optional.empty()), lasts));
    }

    private void readDump(RecordedEvent event, long time) {
        String text = event.getString("result");
        for (ThreadDump dump :
                ThreadDumps.parse("the recording", text == null ? "" : text).dumps()) {
            dumps.add(dump);
            for (DumpedThread thread : dump.threads()) {
                thread.nativeId()
                        .ifPresent(id -> threads.computeIfAbsent(id, key -> new ThreadHistory(key, thread.name()))
                                .add(new Sample(time, kind(thread), thread)));
            }
        }
    }

    private static Kind kind(DumpedThread thread) {
        if (thread.state() != Thread.State.RUNNABLE) {
            return Kind.DUMP;
        }
        boolean isNative = !thread.stack().isEmpty() && thread.stack().get(0).isNativeMethod();
        return isNative ? Kind.IN_NATIVE : Kind.RUNNING;
    }

    // ---- threads ----

    /** The history of the thread that a field names; empty for virtual threads, and threads of the JVM's own. */
    private Optional<ThreadHistory> thread(RecordedEvent event, String field) {
        if (!event.hasField(field) || !(event.getValue(field) instanceof RecordedThread thread)) {
            return Optional.empty();
        }
        String name = nameOf(thread);
        boolean isVirtual = thread.hasField("virtual") && thread.getBoolean("virtual");
        if (isVirtual || name == null) {
            return Optional.empty();
        }
        return Optional.of(threads.computeIfAbsent(key(thread), id -> new ThreadHistory(id, name)));
    }

    private static @Nullable String nameOf(RecordedThread thread) {
        return thread.getJavaName() == null ? thread.getOSName() : thread.getJavaName();
    }

    private static long key(RecordedThread thread) {
        return thread.getOSThreadId();
    }

    Collection<ThreadHistory> threads() {
        return threads.values();
    }

    ProcessHistory process() {
        return process;
    }

    /** {@return how long a sample stands for itself} */
    long samplePeriod() {
        String period = settings.getOrDefault("jdk.ExecutionSample#period", "");
        return period.matches("\\d{1,6} ms")
                ? 1_000_000L * Long.parseLong(period.replace(" ms", ""))
                : USUAL_SAMPLE_PERIOD;
    }

    /** {@return when the first event began; not before the end where there is none} */
    public long begin() {
        return begin;
    }

    /** {@return how long it is; zero where there are no events} */
    public Duration length() {
        return isEmpty() ? Duration.ZERO : Duration.ofNanos(end - begin);
    }

    /**
     * {@return the times in which something was recorded, as ends by begins} Between two of them is more than a minute:
     * the clock was set, the machine slept, or recordings of several programs were joined.
     */
    SortedMap<Long, Long> spans() {
        return Collections.unmodifiableSortedMap(spans);
    }

    private Duration covered() {
        return Duration.ofNanos(spans.entrySet().stream()
                .mapToLong(span -> span.getValue() - span.getKey())
                .sum());
    }

    /** {@return whether it declares events by the names that Oracle's JDK 9 and 10 gave them} */
    boolean isOfOracle9() {
        return types.values().stream().anyMatch(name -> name.startsWith(ORACLE_9));
    }

    /** {@return whether it holds no event of the JDK or of a profiler} */
    public boolean isEmpty() {
        return end < begin;
    }

    /** {@return what could not be read, and why; empty when all was read} */
    public Optional<String> problem() {
        return problem;
    }

    private boolean isRecorded(String type) {
        return seen.contains(type) || "true".equals(settings.get(type + "#enabled"));
    }

    /** {@return what the recording does not tell, each in a clause} */
    public List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (spans.size() > 1) {
            missing.add("anything for " + Units.time(length().minus(covered())) + " in between");
        }
        boolean hasLooks = seen.contains("profiler.WallClockSample");
        String shortest = settings.getOrDefault("jdk.ThreadPark#threshold", "");
        if (!isRecorded("jdk.ThreadPark") && !isRecorded("jdk.JavaMonitorEnter") && !hasLooks) {
            missing.add("waits of threads (jdk.ThreadPark, jdk.JavaMonitorEnter)");
        } else if (!shortest.isEmpty() && !shortest.startsWith("0 ") && !hasLooks) {
            missing.add("waits of less than " + shortest);
        }
        String most = settings.getOrDefault("jdk.SocketRead#throttle", "off");
        if (isRecorded("jdk.SocketRead") && !most.equals("off")) {
            missing.add("waits for the network beyond " + most.replace("/s", " a second"));
        }
        if (dumps.isEmpty()) {
            missing.add("thread dumps (jdk.ThreadDump), so not threads that waited all the time");
        }
        if (loads.isEmpty()) {
            missing.add("CPU time of threads (jdk.ThreadCPULoad)");
        }
        if (!process.hasLoads()) {
            missing.add("CPU time of the process (jdk.CPULoad)");
        }
        if (process.cpus().isEmpty()) {
            missing.add("how many CPUs there are (jdk.CPUInformation)");
        }
        return missing;
    }
}
