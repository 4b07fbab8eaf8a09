package io.lifeguard.browser;

import io.lifeguard.pool.diagnosis.sizing.Demand;
import io.lifeguard.pool.diagnosis.sizing.ServiceCurve;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.CallerRun;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.Curve;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observation.Flow;
import io.lifeguard.pool.recording.Observation.Load;
import io.lifeguard.pool.recording.Observation.Point;
import io.lifeguard.pool.recording.Observation.Process;
import io.lifeguard.pool.recording.Observation.SubmitWait;
import io.lifeguard.pool.recording.Observation.TaskRun;
import io.lifeguard.pool.recording.Observation.Times;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;

/** Makes recordings of pools that never ran, with numbers that a test knows. The same call makes the same recording. */
final class SampleRecordings {

    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000 * MILLI;
    static final long START = 1_763_800_000L * SECOND;

    /** A name that does harm where it is parsed as markup. */
    static final String EVIL =
            "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">";

    private SampleRecordings() {}

    /** A dispatcher that runs tasks itself, while most of 16 workers are idle. */
    static List<Observation> callerRuns() {
        List<Observation> all = new ArrayList<>();
        Random random = new Random(1);
        long own = START;
        int runs = 0;
        while (own < START + 30 * SECOND) {
            long length = (long) ((120 + 120 * random.nextDouble()) * MILLI);
            all.add(new CallerRun(own, Math.min(length, START + 30 * SECOND - own), "audit", "main", 11.3));
            own += length + (long) ((4 + 14 * random.nextDouble()) * MILLI);
            runs++;
        }
        double[] busyUntil = new double[16];
        for (int tick = 0; tick < 600; tick++) {
            boolean isFed = tick % 4 == 0;
            for (int worker = 0; worker < 16; worker++) {
                if (isFed && worker < 8) {
                    busyUntil[(worker + tick) % 16] = tick + 1 + random.nextInt(3);
                }
                Doing doing = busyUntil[worker] <= tick
                        ? Doing.IDLE
                        : random.nextInt(4) == 0 ? Doing.WAITING_OUTSIDE : Doing.COMPUTING;
                all.add(look(tick * 50L, "audit", worker, doing));
            }
        }
        all.addAll(windows(
                "audit",
                30,
                16,
                8,
                96,
                8,
                Map.of(Doing.COMPUTING, 3.4, Doing.WAITING_OUTSIDE, 1.3, Doing.IDLE, 11.3),
                16,
                5.4,
                true));
        all.add(news(
                3,
                Change.RAISED,
                "audit",
                "dispatcher-runs-tasks",
                "WARNING",
                "main ran " + 6
                        + " tasks itself for 1.0 s in 1 s, while 11.3 of 16 workers were idle on average,"
                        + " because main submitted nothing in that time",
                "let submitters wait: whenSaturated(BlockingWaitPolicy.forever()); expect 96 → 270 tasks/s",
                Map.of(
                        "dispatcher",
                        "main",
                        "tasksRun",
                        "6",
                        "idleWorkersMeanwhile",
                        "11.3",
                        "workers",
                        "16",
                        "gain",
                        "2.8"),
                OptionalInt.empty(),
                ""));
        return all;
    }

    /** The same pool with a dispatcher that waits. */
    static List<Observation> waiting() {
        List<Observation> all = new ArrayList<>();
        Random random = new Random(2);
        long own = START;
        while (own < START + 30 * SECOND) {
            long length = (long) ((30 + 60 * random.nextDouble()) * MILLI);
            all.add(new SubmitWait(own, length, "audit", "main", true));
            own += length + 2 * MILLI;
        }
        for (int tick = 0; tick < 600; tick++) {
            for (int worker = 0; worker < 16; worker++) {
                int die = random.nextInt(10);
                Doing doing = die < 1
                        ? Doing.IDLE
                        : die < 7 ? Doing.COMPUTING : die < 9 ? Doing.WAITING_OUTSIDE : Doing.WAITING_FOR_CPU;
                all.add(look(tick * 50L, "audit", worker, doing));
            }
        }
        all.addAll(windows(
                "audit",
                30,
                16,
                8,
                268,
                8,
                Map.of(Doing.COMPUTING, 9.6, Doing.WAITING_OUTSIDE, 3.2, Doing.IDLE, 1.6, Doing.WAITING_FOR_CPU, 1.6),
                16,
                0,
                true));
        return all;
    }

    /** A hundred workers that wait for a CPU, or for one lock. */
    static List<Observation> crowd() {
        List<Observation> all = new ArrayList<>();
        Random random = new Random(3);
        for (int tick = 0; tick < 400; tick++) {
            for (int worker = 0; worker < 100; worker++) {
                int die = random.nextInt(100);
                Doing doing = die < 4
                        ? Doing.COMPUTING
                        : die < 70 ? Doing.WAITING_FOR_CPU : die < 94 ? Doing.WAITING_FOR_LOCK : Doing.WAITING_OUTSIDE;
                all.add(look(tick * 50L, "index", worker, doing));
            }
        }
        for (int worker = 0; worker < 100; worker++) {
            for (int i = 0; i < 40; i++) {
                long start = START + (i * 500L + worker * 5L % 500) * MILLI;
                all.add(new TaskRun(
                        start,
                        460 * MILLI,
                        "index",
                        "index-" + (worker + 1),
                        "com.example.search.IndexDocument",
                        OptionalLong.of(900 * MILLI),
                        OptionalLong.of(6 * MILLI),
                        false));
            }
        }
        all.addAll(windows(
                "index",
                20,
                100,
                1024,
                420,
                700,
                Map.of(
                        Doing.COMPUTING,
                        4.0,
                        Doing.WAITING_FOR_CPU,
                        66.0,
                        Doing.WAITING_FOR_LOCK,
                        24.0,
                        Doing.WAITING_OUTSIDE,
                        6.0),
                100,
                0,
                true));
        all.add(news(
                2,
                Change.RAISED,
                "index",
                "cpu-saturated",
                "WARNING",
                "66.0 of 100 workers wait for a CPU: 100 threads share 4 CPUs",
                "make the pool 16 threads: 100 → 16 threads: at least the same 420 tasks/s, service time 238 ms"
                        + " → 38 ms",
                Map.of("runQueueDelay", "157 ms", "cpuTime", "9.5 ms", "workers", "100"),
                OptionalInt.of(16),
                ""));
        all.add(news(
                6,
                Change.RAISED,
                "index",
                "lock-contention",
                "CRITICAL",
                "24.0 of 100 workers wait for the lock of com.example.search.Cache",
                "hold the lock for less time, or split it",
                Map.of("lock", "com.example.search.Cache", "waiting", "24"),
                OptionalInt.empty(),
                "index-17"));
        all.add(news(
                12,
                Change.UPDATED,
                "index",
                "lock-contention",
                "CRITICAL",
                "31.0 of 100 workers wait for the lock of com.example.search.Cache",
                "hold the lock for less time, or split it",
                Map.of("lock", "com.example.search.Cache", "waiting", "31"),
                OptionalInt.empty(),
                "index-17"));
        all.add(news(
                15,
                Change.RESOLVED,
                "index",
                "lock-contention",
                "CRITICAL",
                "over",
                "",
                Map.of(),
                OptionalInt.empty(),
                ""));
        return all;
    }

    /** Names that would do harm if a page parsed them. */
    static List<Observation> hostile() {
        String evil = EVIL;
        List<Observation> all = new ArrayList<>();
        for (int tick = 0; tick < 40; tick++) {
            all.add(new WorkerSample(START + tick * 50 * MILLI, evil, evil, Doing.WAITING_FOR_LOCK, evil, evil, evil));
        }
        all.add(new TaskRun(START, SECOND, evil, evil, evil, OptionalLong.empty(), OptionalLong.empty(), true));
        all.add(new CallerRun(START, SECOND, evil, evil + "${script}\u2028\ud800", 1));
        all.addAll(windows(evil, 2, 1, 8, 5, 3, Map.of(Doing.WAITING_FOR_LOCK, 1.0), 1, 0, true));
        all.add(news(
                1, Change.RAISED, evil, evil, "CRITICAL", evil, evil, Map.of(evil, evil), OptionalInt.of(1), evil));
        return all;
    }

    /** A deadlock, which belongs to no pool, event loops, which have no windows, and a pool that counts no tasks. */
    static List<Observation> uncounted() {
        List<Observation> all = new ArrayList<>();
        for (int second = 0; second < 12; second++) {
            all.add(look(second * 1000L, "loops", 1, Doing.WAITING_FOR_LOCK));
        }
        windows("common", 12, 4, 8, 5, 3, Map.of(Doing.WAITING_FOR_LOCK, 4.0), 4, 0, false).stream()
                .map(WindowSummary.class::cast)
                .map(window -> new WindowSummary(
                        window.startNanos(),
                        window.durationNanos(),
                        window.pool(),
                        window.load(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        window.shares(),
                        window.bottleneck(),
                        window.process(),
                        window.curve(),
                        ""))
                .forEach(all::add);
        all.add(uncounted("threads", "deadlock", "CRITICAL", "2 threads wait for each other forever"));
        all.add(uncounted("loops", "event-loop-blocked", "WARNING", "loops-1 waits for a lock"));
        all.add(uncounted("common", "lock-contention", "WARNING", "Workers wait for a lock"));
        return all;
    }

    private static FindingChange uncounted(String pool, String id, String severity, String summary) {
        return news(0, Change.RAISED, pool, id, severity, summary, "Do it", Map.of(), OptionalInt.empty(), "");
    }

    /** So many workers that are looked at once a second for so long. Made while it is read: it is too large to keep. */
    static Iterable<Observation> large(int workers, int seconds) {
        return () -> {
            Doing[] now = new Doing[workers];
            Doing[] doings = Doing.values();
            Random random = new Random(4);
            Stream<Observation> looks = Stream.iterate(0, second -> second < seconds, second -> second + 1)
                    .flatMap(second -> Stream.iterate(0, worker -> worker < workers, worker -> worker + 1)
                            .map(worker -> {
                                if (second == 0 || random.nextInt(3) == 0) {
                                    now[worker] = doings[random.nextInt(doings.length - 1)];
                                }
                                return look(second * 1000L, "requests", worker, now[worker]);
                            }));
            Map<Doing, Double> shares = new EnumMap<>(Doing.class);
            for (int i = 0; i < doings.length - 1; i++) {
                shares.put(doings[i], workers / (doings.length - 1.0));
            }
            return Stream.<Observation>concat(
                            windows("requests", seconds, workers, 1024, 9000, 300, shares, workers, 0, true).stream(),
                            looks)
                    .iterator();
        };
    }

    private static WorkerSample look(long millis, String pool, int worker, Doing doing) {
        String place = switch (doing) {
            case IDLE, UNKNOWN -> "";
            case WAITING_OUTSIDE -> "com.example.audit.Catalogue.checksum(Catalogue.java:" + (40 + worker % 6) + ")";
            case WAITING_FOR_LOCK -> "com.example.search.Cache.get(Cache.java:88)";
            default -> "com.example.audit.Jar.inflate(Jar.java:" + (100 + worker % 9) + ")";
        };
        boolean isLocked = doing == Doing.WAITING_FOR_LOCK;
        return new WorkerSample(
                START + millis * MILLI,
                pool,
                pool + "-" + (worker + 1),
                doing,
                place,
                isLocked ? "com.example.search.Cache@4a1b" : "",
                isLocked ? pool + "-17" : "");
    }

    private static List<Observation> windows(
            String pool,
            int seconds,
            int size,
            int capacity,
            double throughput,
            int queued,
            Map<Doing, Double> shares,
            int active,
            double callerRuns,
            boolean hasCurve) {
        List<Observation> all = new ArrayList<>();
        Random random = new Random(5);
        double service = 1e9 * active / throughput;
        for (int second = 0; second < seconds; second++) {
            double luck = 0.9 + 0.2 * random.nextDouble();
            all.add(new WindowSummary(
                    START + second * SECOND,
                    SECOND,
                    pool,
                    new Load(
                            size,
                            active,
                            OptionalInt.of(size),
                            OptionalInt.of(size),
                            OptionalInt.of((int) (queued * luck)),
                            OptionalInt.of(capacity)),
                    Optional.of(new Flow(
                            Math.round(throughput * luck),
                            Math.round(throughput * luck),
                            0,
                            0,
                            Math.round(callerRuns))),
                    Optional.of(new Times(100, OptionalLong.of((long) (40 * MILLI * luck)), OptionalLong.of((long)
                            (120 * MILLI * luck * luck)))),
                    Optional.of(new Times(100, OptionalLong.of((long) (0.8 * service * luck)), OptionalLong.of((long)
                            (3 * service * luck * luck)))),
                    shares,
                    hasCurve ? "CPU" : "OWN_TASKS",
                    new Process(
                            4,
                            OptionalDouble.of(3.2 * luck),
                            OptionalDouble.of(0.04 * luck),
                            OptionalLong.of((long) (30 * MILLI * random.nextDouble())),
                            OptionalLong.of(0)),
                    hasCurve && second == seconds - 1 ? Optional.of(curve(size)) : Optional.empty(),
                    ""));
        }
        return all;
    }

    private static Curve curve(int size) {
        ServiceCurve curve = ServiceCurve.of(new Demand(0.0095, 0.028, 0, 4, 0, 1));
        List<Point> points = new ArrayList<>();
        for (int workers = 1; workers <= Math.max(40, size * 5 / 4); workers++) {
            double rate = curve.at(workers).throughput();
            points.add(new Point(workers, rate, rate * 0.93, rate * 1.06, (long)
                    (curve.at(workers).serviceTime() * 1e9)));
        }
        return new Curve(size, OptionalInt.of(18), points);
    }

    private static FindingChange news(
            long second,
            Change change,
            String pool,
            String id,
            String severity,
            String summary,
            String advice,
            Map<String, String> evidence,
            OptionalInt recommended,
            String holder) {
        List<String> stack = holder.isEmpty()
                ? List.of()
                : List.of(
                        "com.example.search.Cache.get(Cache.java:88)",
                        "com.example.search.Index.add(Index.java:31)",
                        "java.base/java.lang.Thread.run(Thread.java:840)");
        return new FindingChange(
                START + second * SECOND,
                pool,
                change,
                "",
                id,
                severity,
                START + second * SECOND,
                summary,
                advice,
                new LinkedHashMap<>(evidence),
                stack,
                holder,
                recommended,
                recommended.isPresent() ? OptionalInt.of(recommended.getAsInt() - 2) : OptionalInt.empty(),
                recommended.isPresent() ? OptionalInt.of(recommended.getAsInt() + 3) : OptionalInt.empty());
    }
}
