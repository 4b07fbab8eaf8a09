package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.evidence.carrier.ThreadBands;
import io.lifeguard.pool.diagnosis.evidence.carrier.ThreadBands.Band;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Mounted;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.Load;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.WorkerLooks;
import io.lifeguard.pool.recording.WorkerLooks.Act;
import io.lifeguard.pool.recording.WorkerLooks.Worker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/**
 * Records virtual threads for pictures: a lane for each carrier, and for each executor {@value #LANES} lanes, each of
 * which stands for the same share of its threads. Confined to the monitor's thread.
 *
 * <p>Threads that wait for the same thing lie side by side, so they look like a band that is as broad as they are many.
 * So 100,000 threads take no more room than 50, and lanes that show the same are one line of the recording.
 */
final class VirtualThreadLanes {

    /** Pictures draw more than 40 lanes of a group as one band of shares, until somebody opens it. */
    static final int LANES = 50;

    /** Each takes half a kilobyte a second of the black box, which keeps a megabyte for a minute. */
    private static final int MOST_EXECUTORS = 8;

    private final String carriers;
    private final LongUnaryOperator epoch;
    private final Consumer<Observation> to;
    private Map<String, Packed> latest = new HashMap<>(); // by pool; most windows show the same as the one before

    /** What lanes show, and the same as text. */
    private record Packed(List<Act> lanes, String text) {}

    /**
     * @param carriers the name under which carriers are recorded
     * @param epoch turns a time of the monotonic clock into nanoseconds since 1970
     * @param to receives the lanes
     */
    VirtualThreadLanes(String carriers, LongUnaryOperator epoch, Consumer<Observation> to) {
        this.carriers = carriers;
        this.epoch = epoch;
        this.to = to;
    }

    static String name(String executor) {
        return executor + " (virtual threads)";
    }

    /**
     * Records a window.
     *
     * @param begin of the window, by the monotonic clock
     * @param end of it
     * @param looks at the carriers
     * @param running how many carriers have a thread; empty where the JVM does not tell
     * @param executors what the threads of each executor did
     * @param process what the process used
     */
    void record(
            long begin,
            long end,
            CarrierLooks looks,
            OptionalInt running,
            List<ThreadBands> executors,
            ProcessWindow process) {
        long start = epoch.applyAsLong(begin);
        long length = Math.max(0, end - begin);
        Map<String, Packed> before = latest;
        latest = new HashMap<>();
        List<Act> taken = lanes(looks, running);
        tell(start, length, carriers, "carrier ", taken, before);
        if (!taken.isEmpty()) { // what a carrier has wants a CPU; how many it had, the process tells
            Map<Doing, Double> shares = new EnumMap<>(Doing.class);
            taken.forEach(lane -> shares.merge(lane.doing(), 1.0, Double::sum));
            to.accept(window(start, length, carriers, taken.size(), shares, process));
        }
        List<ThreadBands> largest = executors.stream()
                .sorted(Comparator.comparingDouble(ThreadBands::threads).reversed())
                .limit(MOST_EXECUTORS)
                .toList();
        for (ThreadBands executor : largest) {
            List<Act> lanes = new ArrayList<>(LANES);
            for (int i = 0; i < LANES; i++) {
                lanes.add(act(at((i + 0.5) / LANES, executor.bands())));
            }
            tell(start, length, name(executor.executor()), 100 / LANES + " % of the threads, ", lanes, before);
            Map<Doing, Double> shares = new EnumMap<>(Doing.class);
            executor.bands().forEach(band -> shares.merge(band.doing(), band.share() * LANES, Double::sum));
            to.accept(window(start, length, name(executor.executor()), LANES, shares, process));
        }
    }

    /** What carriers have. Where their number is unknown, those of which it is known that they have something. */
    private static List<Act> lanes(CarrierLooks looks, OptionalInt running) {
        List<Act> lanes = new ArrayList<>();
        looks.mounted().stream()
                .limit(looks.carriers())
                .map(VirtualThreadLanes::act)
                .forEach(lanes::add);
        while (running.isPresent() && lanes.size() < looks.carriers()) {
            boolean isTaken = lanes.size() < running.getAsInt();
            lanes.add(act(isTaken ? Doing.COMPUTING : Doing.IDLE, "", "", ""));
        }
        return lanes;
    }

    /** The figures of lanes, from which the band of shares is drawn. That of the executor says how many threads. */
    private static WindowSummary window(
            long start, long length, String pool, int lanes, Map<Doing, Double> shares, ProcessWindow process) {
        return new WindowSummary(
                start,
                length,
                pool,
                new Load(
                        lanes, lanes, OptionalInt.empty(), OptionalInt.empty(), OptionalInt.of(0), OptionalInt.empty()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                shares,
                Bottleneck.UNKNOWN.name(),
                RoundRecorder.process(process),
                Optional.empty(),
                "");
    }

    private static Band at(double share, List<Band> bands) {
        double sum = 0;
        for (Band band : bands) {
            sum += band.share();
            if (share < sum) {
                return band;
            }
        }
        return bands.get(bands.size() - 1); // shares add up to 1, except for rounding
    }

    private static Act act(Mounted mounted) {
        Doing doing = switch (mounted.why()) {
            case COMPUTES -> Doing.COMPUTING;
            case CLASS_INITIALISATION, MONITOR -> Doing.WAITING_FOR_LOCK;
            case NATIVE -> Doing.WAITING_OUTSIDE;
        };
        return act(doing, mounted.place(), mounted.object(), "");
    }

    private static Act act(Band band) {
        return act(band.doing(), band.place(), band.awaited(), band.holder());
    }

    private static Act act(Doing doing, String place, String awaited, String holder) {
        return new Act(doing, doing == Doing.COMPUTING, place, awaited, holder, 0);
    }

    private void tell(long start, long length, String pool, String lane, List<Act> lanes, Map<String, Packed> before) {
        if (lanes.isEmpty()) {
            return;
        }
        Packed same = before.get(pool);
        Packed packed = same != null && same.lanes.equals(lanes) ? same : new Packed(lanes, text(lane, lanes));
        latest.put(pool, packed);
        to.accept(new PoolLooks(
                start,
                length,
                pool,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                0,
                packed.text));
    }

    private static String text(String lane, List<Act> lanes) {
        List<Act> acts = lanes.stream().distinct().toList();
        List<Worker> workers = new ArrayList<>(lanes.size());
        for (Act act : lanes) {
            String name = lane + (workers.size() + 1);
            workers.add(new Worker(name, OptionalLong.empty(), OptionalLong.empty(), List.of(acts.indexOf(act))));
        }
        return new WorkerLooks(List.of(0L), acts, workers).text();
    }
}
