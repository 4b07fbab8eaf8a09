package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.diagnosis.evidence.stack.LimitedResource;
import io.lifeguard.pool.diagnosis.evidence.stack.Seen;
import io.lifeguard.pool.diagnosis.evidence.stack.Stratum;
import io.lifeguard.pool.diagnosis.evidence.stack.WorkerLook;
import io.lifeguard.pool.diagnosis.window.Awaited.Lock;
import io.lifeguard.pool.diagnosis.window.Awaited.Result;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Span;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.recording.Observation.WorkerStack;
import io.lifeguard.pool.recording.Recorder;
import io.lifeguard.pool.recording.WorkerLooks;
import io.lifeguard.pool.recording.WorkerLooks.Act;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Records what single workers of one pool do. Confined to the monitor's thread. Keeps no thread.
 *
 * <p>Each stack is recorded at once, as a {@link WorkerSample}. All looks of the census are recorded when the window
 * ends, as one {@link PoolLooks}. A worker whose stack was taken does what the stack showed, while its state and its
 * blocker stay the same. Other workers do what stacks of their group showed ({@link LookRows}).
 */
final class WorkerSamples implements Census.StateLog {

    /** A thread that waits for no object may do something else a second later, at another place. */
    private static final long HOLDS_NANOS = 1_000_000_000L;

    /**
     * For each second of a window: what the black box lets looks use. Where it would be more, looks are left out
     * evenly; of ten looks or fewer, workers that did the same share their times first.
     */
    private static final int MOST_CHARACTERS = 2_500;

    /** Short windows are a young pool's, whose first seconds are worth more. */
    private static final int FEWEST_CHARACTERS = 1_000;

    /** With so few looks a second, a mean of the times of workers that did the same loses little; a judgement. */
    private static final int FEW_LOOKS = 10;

    /** 20 s: what is in the black box for a minute is told three times. */
    private static final long AGAIN_NANOS = 20_000_000_000L;

    /** Of a deeper stack the frames at the top say why it waits, and those below are a framework's. */
    private static final int MOST_FRAMES = 48;

    /** More workers, or stacks, than that are not remembered. */
    private static final int MOST_REMEMBERED = 2_000;

    private final String pool;
    private final Recorder recorder;
    private final LookRows rows = new LookRows();
    private final Map<Long, Own> own = new HashMap<>(); // the latest stack of a worker, by thread id
    private final Map<Long, Long> stacks = new HashMap<>(); // when each was recorded, by number
    private boolean isFirst = true; // no window was recorded yet
    private Map<Long, ThreadTimes> times = Map.of(); // of the window that is being closed, by thread id

    WorkerSamples(String pool, Recorder recorder) {
        this.pool = pool;
        this.recorder = recorder;
    }

    /** The census has looked at all workers. */
    void looked(Census census) {
        if (rows.begin(System.nanoTime())) {
            census.tell(this);
        }
    }

    @Override
    public void state(Long id, Thread thread, Stratum stratum, boolean isSame) {
        Own known = own.get(id);
        boolean holds = known != null
                && isSame
                && (!stratum.blocker().isEmpty() || System.nanoTime() - known.nanos() <= HOLDS_NANOS);
        if (known != null && !holds) {
            own.remove(id);
        }
        rows.add(id, thread, holds && known != null ? known.act() : stratum);
    }

    /** The stack of a worker was taken. */
    void stack(WorkerLook look, Result result, Map<String, Lock> locks, Census census) {
        Thread thread = look.worker().thread();
        census.toldByStack(thread);
        String object = Objects.requireNonNullElse(look.object(), "");
        boolean isRunnable = look.info().state() == Thread.State.RUNNABLE;
        Act act = act(look.doing(), isRunnable, look.place(), look.stack(), result, object, locks);
        if (own.size() >= MOST_REMEMBERED) {
            own.clear();
        }
        own.put(id(thread), new Own(act, System.nanoTime()));
        record(act.stack(), look.stack());
        recorder.record(new WorkerSample(
                recorder.epochNanos(System.nanoTime()),
                pool,
                thread.getName(),
                act.doing(),
                act.place(),
                act.awaited(),
                act.holder()));
    }

    private static Act act(Seen seen, Map<String, Lock> locks) {
        boolean isRunnable = seen.stratum().state() == Thread.State.RUNNABLE;
        return act(seen.doing(), isRunnable, seen.place(), seen.stack(), seen.result(), seen.object(), locks);
    }

    private static Act act(
            Doing doing,
            boolean isRunnable,
            String place,
            List<StackTraceElement> stack,
            Result result,
            String waitsFor,
            Map<String, Lock> locks) {
        String awaited = switch (doing) {
            case WAITING_FOR_LOCK -> waitsFor;
            case WAITING_FOR_RESULT -> result.pool().orElse("");
            case WAITING_IN_LINE -> {
                Optional<LimitedResource> resource = LimitedResource.of(stack);
                yield resource.isPresent() ? resource.get().description() : waitsFor;
            }
            default -> "";
        };
        Lock lock = waitsFor.isEmpty() ? null : locks.get(waitsFor);
        String holder = lock == null ? "" : lock.owner().orElse("");
        boolean isIdle = doing == Doing.IDLE;
        return new Act(doing, isRunnable, isIdle ? "" : place, awaited, holder, isIdle ? 0 : number(stack));
    }

    /** {@return a number that equal stacks share; two different ones nearly never do} */
    private static long number(List<StackTraceElement> stack) {
        long number = stack.size();
        for (StackTraceElement frame : stack) {
            number = 31 * number + frame.hashCode();
        }
        return number == 0 ? 1 : number;
    }

    /** Records a stack, unless that was done lately. */
    private void record(long number, List<StackTraceElement> stack) {
        long now = System.nanoTime();
        Long before = stacks.get(number);
        if (number == 0 || (before != null && now - before < AGAIN_NANOS)) {
            return;
        }
        if (stacks.size() >= MOST_REMEMBERED) {
            stacks.clear();
        }
        stacks.put(number, now);
        List<String> lines = new ArrayList<>();
        for (StackTraceElement frame : stack.subList(0, Math.min(MOST_FRAMES, stack.size()))) {
            lines.add(line(frame));
        }
        recorder.record(new WorkerStack(recorder.epochNanos(now), pool, number, lines));
    }

    /** Without the module, the loader and the address of a hidden class, which tell nothing here. */
    private static String line(StackTraceElement frame) {
        String file = frame.isNativeMethod() ? "Native Method" : frame.getFileName();
        String place = file == null ? "" : frame.getLineNumber() > 0 ? file + ":" + frame.getLineNumber() : file;
        String type = frame.getClassName();
        int hidden = type.lastIndexOf("/0x");
        return (hidden < 0 ? type : type.substring(0, hidden)) + "." + frame.getMethodName() + "(" + place + ")";
    }

    /** Sets what the system told of single workers in the window that is being closed. */
    void times(Map<Long, ThreadTimes> byThreadId) {
        times = byThreadId;
    }

    /** The window ends: records its looks. */
    void close(PoolWindow window, List<Seen> sample, Map<String, Lock> locks) {
        Map<Stratum, List<Act>> stacks = new LinkedHashMap<>();
        for (Seen seen : sample) {
            Seen.add(stacks, seen.stratum(), act(seen, locks));
        }
        record(window, rows.looks(window.after().nanoTime() - window.length().toNanos(), times, stacks));
        rows.clear();
        times = Map.of();
    }

    /** Records a window in which all workers were idle, and nobody looked at them. */
    void closeAsleep(PoolWindow window) {
        rows.clear();
        List<WorkerLooks.Worker> workers = window.workers().stream()
                .map(WorkerWindow::thread)
                .map(thread -> new WorkerLooks.Worker(thread, OptionalLong.empty(), OptionalLong.empty(), List.of(0)))
                .toList();
        boolean isIdle = window.breakdown().shares().stream().map(Share::doing).allMatch(Doing.IDLE::equals);
        if (isIdle && !workers.isEmpty()) {
            record(window, new WorkerLooks(List.of(0L), List.of(LookRows.IDLE), workers));
        }
    }

    private void record(PoolWindow window, WorkerLooks looks) {
        long length = window.length().toNanos();
        String content = packed(looks, (int) Math.max(FEWEST_CHARACTERS, Math.min(1, length / 1e9) * MOST_CHARACTERS));
        boolean isMeasured = window.isMeasured();
        boolean tellsBefore = isMeasured && isFirst;
        isFirst = false;
        recorder.record(new PoolLooks(
                recorder.epochNanos(window.after().nanoTime()) - length,
                length,
                pool,
                isMeasured ? OptionalLong.of(Math.round(window.busyWorkers() * length)) : OptionalLong.empty(),
                isMeasured ? cpu(window) : OptionalLong.empty(),
                isMeasured ? OptionalLong.of(nanos(window.callerRunTime())) : OptionalLong.empty(),
                tellsBefore ? total(window.before().serviceTime()) : OptionalLong.empty(),
                tellsBefore ? total(window.before().callerRunTime()) : OptionalLong.empty(),
                window.breakdown().stacks(),
                content));
    }

    private static String packed(WorkerLooks looks, int most) {
        String content = looks.text();
        boolean areShared = false;
        for (WorkerLooks fewer = looks; content.length() > most; content = fewer.text()) {
            int left = fewer.moments().size();
            if (left <= FEW_LOOKS && !areShared) {
                fewer = LookRows.sharingTimes(fewer);
                areShared = true;
            } else if (left > 2) {
                fewer = LookRows.everySecond(fewer);
            } else {
                break;
            }
        }
        return content;
    }

    private static OptionalLong total(Distribution times) {
        return OptionalLong.of(times.total().toNanos());
    }

    private static OptionalLong cpu(PoolWindow window) {
        return window.cpuTime().isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(nanos(window.cpuTime().get()));
    }

    private static long nanos(Span span) {
        return Math.max(0, Math.round(span.seconds() * 1e9));
    }

    /** {@code threadId()} exists since JDK 19 only. */
    @SuppressWarnings("deprecation")
    private static long id(Thread thread) {
        return thread.getId();
    }

    private record Own(Act act, long nanos) {}
}
