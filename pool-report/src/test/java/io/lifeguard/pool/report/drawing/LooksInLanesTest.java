package io.lifeguard.pool.report.drawing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.Load;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.Process;
import io.lifeguard.pool.recording.Observation.TaskRun;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.recording.WorkerLooks;
import io.lifeguard.pool.recording.WorkerLooks.Act;
import io.lifeguard.pool.recording.WorkerLooks.Worker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A recording is made from workers of which everything is known: tasks of 1 to 100 ms, looks at random moments, stacks
 * of some workers, and the counters. The lanes show each look at its moment, and recorded tasks from begin to end.
 */
@ParameterizedClass
@ValueSource(longs = {1, 2, 3})
class LooksInLanesTest {

    private static final String POOL = "known";
    private static final long MILLI = 1_000_000;
    private static final long TICK = MILLI / 10;
    private static final long WINDOW = 1000 * MILLI;
    private static final int WINDOWS = 10;
    private static final int WORKERS = 6;
    private static final int IDLE = Segments.stateOf(Doing.IDLE);

    /** What the recorder keeps of tasks. */
    private static final long LONG_TASK = 20 * MILLI;

    private static final List<Act> ACTS = List.of(
            new Act(Doing.IDLE, false, "", "", "", 0),
            new Act(Doing.WAITING_FOR_LOCK, false, "shop.Orders.put(Orders.java:7)", "java.lang.Object", "", 0),
            new Act(Doing.WAITING_OUTSIDE, true, "shop.Http.call(Http.java:9)", "", "", 0),
            new Act(Doing.SLEEPING, false, "shop.Retry.pause(Retry.java:3)", "", "", 0));

    private final Random random;
    private final List<List<Task>> tasks = new ArrayList<>(); // by worker
    private final List<Look> looks = new ArrayList<>();
    private final List<Observation> recording = new ArrayList<>();
    private List<int[]> lanes = List.of();

    LooksInLanesTest(long seed) {
        random = new Random(seed);
    }

    private record Task(long begin, long end, int act) {}

    private record Look(int worker, long moment, int act) {}

    @BeforeEach
    void record() {
        for (int worker = 0; worker < WORKERS; worker++) {
            tasks.add(tasks(random.nextInt(40)));
        }
        for (int window = 0; window < WINDOWS; window++) {
            recordLooks(window * WINDOW);
        }
        for (int worker = 0; worker < WORKERS; worker++) {
            for (Task task : tasks.get(worker)) {
                if (task.end() - task.begin() >= LONG_TASK) {
                    recording.add(new TaskRun(
                            task.begin(),
                            task.end() - task.begin(),
                            POOL,
                            name(worker),
                            "kind " + task.act(),
                            none(),
                            none(),
                            false));
                }
            }
        }
        Collections.shuffle(recording, random);
        PoolColumns columns = new PoolColumns(POOL, new Index<>());
        recording.forEach(columns::add);
        Ticks ticks = new Ticks(0, WINDOWS * WINDOW, TICK);
        columns.layLanes(ticks);
        lanes = ((List<?>) columns.columns(ticks, new Index<>()).get("workers"))
                .stream()
                        .map(lane -> states((String) ((Map<?, ?>) lane).get("s")))
                        .toList();
    }

    /** Tasks of one worker, with idle times of up to some milliseconds between them. */
    private List<Task> tasks(int mostIdleMillis) {
        List<Task> found = new ArrayList<>();
        long moment = 0;
        while (moment < WINDOWS * WINDOW) {
            long begin = moment + random.nextLong(1, 2 + mostIdleMillis) * MILLI + random.nextInt(1000) * 1000L;
            long end = begin + random.nextLong(1, 100) * MILLI + random.nextInt(1000) * 1000L;
            found.add(new Task(begin, end, 1 + random.nextInt(ACTS.size() - 1)));
            moment = end;
        }
        return found;
    }

    private void recordLooks(long start) {
        List<Long> moments = LongStream.generate(() -> random.nextLong(WINDOW / TICK) * TICK)
                .limit(20)
                .sorted()
                .distinct()
                .boxed()
                .toList();
        List<Worker> workers = new ArrayList<>();
        long busy = 0;
        for (int worker = 0; worker < WORKERS; worker++) {
            List<Integer> acts = new ArrayList<>();
            for (long moment : moments) {
                int act = act(worker, start + moment);
                looks.add(new Look(worker, start + moment, act));
                acts.add(act);
                if (random.nextInt(10) == 0) {
                    addStack(worker, start + moment + random.nextLong(3 * MILLI));
                }
            }
            long own = busy(worker, start);
            busy += own;
            workers.add(new Worker(name(worker), OptionalLong.of(own / 30), OptionalLong.of(own / 15), acts));
        }
        recording.add(new PoolLooks(
                start,
                WINDOW,
                POOL,
                OptionalLong.of(busy),
                OptionalLong.of(busy / 30),
                OptionalLong.of(0),
                none(),
                none(),
                0,
                new WorkerLooks(moments, ACTS, workers).text()));
        recording.add(new WindowSummary(
                start,
                WINDOW,
                POOL,
                new Load(
                        WORKERS,
                        WORKERS,
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        OptionalInt.of(0),
                        OptionalInt.empty()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                "NONE",
                new Process(2, OptionalDouble.of(1.9), OptionalDouble.of(0.1), none(), none()),
                Optional.empty(),
                ""));
    }

    private void addStack(int worker, long moment) {
        int act = act(worker, moment);
        if (act > 0) {
            looks.add(new Look(worker, moment, act));
            Act what = ACTS.get(act);
            recording.add(new WorkerSample(moment, POOL, name(worker), what.doing(), what.place(), what.awaited(), ""));
        }
    }

    private int act(int worker, long moment) {
        return tasks.get(worker).stream()
                .filter(task -> task.begin() <= moment && moment < task.end())
                .findFirst()
                .map(Task::act)
                .orElse(0);
    }

    private long busy(int worker, long start) {
        return tasks.get(worker).stream()
                .mapToLong(task -> Math.max(0, Math.min(start + WINDOW, task.end()) - Math.max(start, task.begin())))
                .sum();
    }

    private static String name(int worker) {
        return "worker-" + worker;
    }

    private static OptionalLong none() {
        return OptionalLong.empty();
    }

    /** {@return the state at each tick} */
    private static int[] states(String packed) {
        List<Long> numbers = SegmentsTest.numbers(packed);
        int[] states = new int[(int) (WINDOWS * WINDOW / TICK)];
        int start = 0;
        for (int i = 0; i + 3 < numbers.size(); i += 3) {
            start += (int) (long) numbers.get(i);
            Arrays.fill(states, start, (int) Math.min(states.length, start + numbers.get(i + 3)), (int)
                    (long) numbers.get(i + 1));
        }
        return states;
    }

    /** Two events of a worker within a tick cannot both be shown, so looks close to another event are left out. */
    private boolean isAlone(Look look) {
        return looks.stream()
                        .noneMatch(other -> other != look
                                && other.worker() == look.worker()
                                && isNear(other.moment(), look.moment()))
                && tasks.get(look.worker()).stream()
                        .noneMatch(task -> isNear(task.begin(), look.moment()) || isNear(task.end(), look.moment()));
    }

    private static boolean isNear(long one, long other) {
        return Math.abs(one - other) < 2 * TICK;
    }

    @Test
    void lanes_atTheMomentOfALookAtABusyWorker_showWhatItSaw() {
        List<Look> alone =
                looks.stream().filter(look -> look.act() > 0 && isAlone(look)).toList();
        assertThat(alone).as("looks that can be compared").hasSizeGreaterThan(500);
        assertThat(alone)
                .filteredOn(look ->
                        shown(look) != Segments.stateOf(ACTS.get(look.act()).doing()))
                .as("looks that the picture does not show")
                .isEmpty();
    }

    private int shown(Look look) {
        return lanes.get(look.worker())[(int) (look.moment() / TICK)];
    }

    @Test
    void lanes_recordedTask_areBusyFromItsBeginToItsEnd() {
        int compared = 0;
        for (int worker = 0; worker < WORKERS; worker++) {
            List<Task> all = tasks.get(worker);
            for (int i = 0; i + 1 < all.size() && all.get(i + 1).end() < WINDOWS * WINDOW; i++) {
                Task task = all.get(i);
                if (task.begin() < WINDOW
                        || task.end() - task.begin() < LONG_TASK
                        || all.get(i + 1).begin() - task.end() < 2 * MILLI) {
                    continue;
                }
                compared++;
                int begin = (int) (task.begin() / TICK);
                int end = (int) (task.end() / TICK);
                assertThat(Arrays.copyOfRange(lanes.get(worker), begin, end))
                        .as("%s", task)
                        .doesNotContain(IDLE, Segments.NOTHING);
                assertThat(lanes.get(worker)[end + 1]).as("after %s", task).isEqualTo(IDLE);
            }
        }
        assertThat(compared).as("tasks that can be compared").isGreaterThan(100);
    }

    @Test
    void lanes_together_areAsBusyAsTheWorkersWere() {
        double counted = 0;
        for (int worker = 0; worker < WORKERS; worker++) {
            for (int window = 0; window < WINDOWS; window++) {
                counted += busy(worker, window * WINDOW);
            }
        }
        long shown = lanes.stream()
                .flatMapToInt(Arrays::stream)
                .filter(state -> state != IDLE && state != Segments.NOTHING)
                .count();
        assertThat((double) shown * TICK).isCloseTo(counted, within(0.01 * counted));
    }
}
