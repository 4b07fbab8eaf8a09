package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.diagnosis.window.Awaited.Lock;
import io.lifeguard.pool.diagnosis.window.Awaited.Result;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.recording.Recorder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records what single workers of one pool do. Confined to the monitor's thread. Keeps no thread.
 *
 * <p>The census tells when a worker's state or blocker changes, and a stack tells what it does and where. A sample is
 * repeated before it is {@link WorkerSample#HOLDS_NANOS} old, as long as state and blocker stay the same. A worker whose
 * state has changed does what its mates at the same object were last seen doing ({@link GroupMemory}).
 */
final class WorkerSamples implements Census.StateLog {

    /** Of a look: 16, so that 20 looks a second record at most 320 changes of one pool. */
    private static final int MOST_PER_LOOK = 16;

    /** A fifth before the sample ends, because a pool of many workers takes several looks to be repeated. */
    private static final long REFRESH_NANOS = WorkerSample.HOLDS_NANOS / 5 * 4;

    /** More workers than that are not remembered, and so lose their places when their sample is repeated. */
    private static final int MOST_REMEMBERED = 2_000;

    private final String pool;
    private final Recorder recorder;
    private final GroupMemory memory;
    private final LongSupplier nanos; // the clock of the memory
    private final Map<Long, WorkerSample> latest = new HashMap<>(); // by thread id

    WorkerSamples(String pool, Recorder recorder, GroupMemory memory, LongSupplier nanos) {
        this.pool = pool;
        this.recorder = recorder;
        this.memory = memory;
        this.nanos = nanos;
    }

    /** The census has looked at all workers. */
    void looked(Census census) {
        census.tell(MOST_PER_LOOK, System.nanoTime(), REFRESH_NANOS, this);
    }

    @Override
    public void state(Thread thread, Stratum stratum, boolean isSame) {
        WorkerSample known = isSame ? latest.get(id(thread)) : null;
        Seen mate = known == null ? memory.likely(stratum, nanos.getAsLong()) : null;
        if (mate != null) {
            boolean isIdle = mate.doing() == Doing.IDLE;
            String awaited = awaited(mate.doing(), mate.stack(), mate.result(), mate.object());
            record(thread, mate.doing(), isIdle ? "" : mate.place(), awaited, "");
        } else if (known == null) {
            Doing doing = Breakdown.doing(stratum);
            String awaited =
                    doing.isWaitInside() ? Optional.ofNullable(stratum.object()).orElse("") : "";
            record(thread, doing, "", awaited, "");
        } else {
            record(thread, known.doing(), known.place(), known.awaited(), known.holder());
        }
    }

    /** The stack of a worker was taken. */
    void stack(WorkerLook look, Result result, Map<String, Lock> locks, Census census) {
        Thread thread = look.worker().thread();
        census.toldByStack(thread, System.nanoTime());
        @Nullable String object = look.object();
        Lock lock = object == null ? null : locks.get(object);
        record(
                thread,
                look.doing(),
                look.doing() == Doing.IDLE ? "" : look.place(),
                awaited(look.doing(), look.stack(), result, object == null ? "" : object),
                lock == null ? "" : lock.owner().orElse(""));
    }

    private static String awaited(Doing doing, List<StackTraceElement> stack, Result result, String waitsFor) {
        return switch (doing) {
            case WAITING_FOR_LOCK -> waitsFor;
            case WAITING_FOR_RESULT -> result.pool().orElse("");
            case WAITING_IN_LINE ->
                LimitedResource.of(stack).map(LimitedResource::description).orElse(waitsFor);
            default -> "";
        };
    }

    private void record(Thread thread, Doing doing, String place, String awaited, String holder) {
        WorkerSample sample = new WorkerSample(
                recorder.epochNanos(System.nanoTime()), pool, thread.getName(), doing, place, awaited, holder);
        if (latest.size() >= MOST_REMEMBERED) {
            latest.clear();
        }
        latest.put(id(thread), sample);
        recorder.record(sample);
    }

    /** {@code threadId()} exists since JDK 19 only. */
    @SuppressWarnings("deprecation")
    private static long id(Thread thread) {
        return thread.getId();
    }
}
