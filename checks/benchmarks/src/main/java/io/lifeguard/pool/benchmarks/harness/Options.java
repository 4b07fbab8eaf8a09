package io.lifeguard.pool.benchmarks.harness;

import io.lifeguard.pool.benchmarks.rivals.Rival;
import io.lifeguard.pool.benchmarks.rivals.Rivals;
import io.lifeguard.pool.benchmarks.scenarios.Scenario;
import io.lifeguard.pool.benchmarks.scenarios.Scenarios;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The options of the command line. Immutable once parsed. */
public final class Options {
    /** What {@code --help} prints. */
    public static final String HELP = """
            Measures Lifeguard's pools beside other pools, in one interleaved run of forked JVMs, and writes a table.

              java -jar checks/benchmarks/target/benchmarks.jar [options]

              --quick              a short form for CI, under three minutes: few scenarios, rivals and rounds; exits with
                                   1 only when something is grossly slower than it should be
              --scenario a,b       only these scenarios (a trailing * matches any ending); see --list
              --scenario beside    the pool on a busy machine, beside other processes, threads and under a quota:
                                   the short table; beside-* is the whole one, and takes hours
              --rival a,b          only these rivals, and the baseline; see --list
              --scenario beside-latency    hand-over from idle and blocked submit on such a machine
              --scenario beside-accuracy   what the pool reports on such a machine
              --before jar         before and after: also measures Lifeguard's pool of that jar
              --rounds n           how often everything is measured (default 10, quick 3)
              --tasks fresh|shared a new task object per submission (default), or always the same
              --java path          the java command of the forks (default: the one that runs this)
              --out directory      where the .md and .csv go (default checks/benchmarks/results)
              --append             adds further rounds to the results in --out, and writes the tables of all: so a long
                                   run can be made in pieces, each of which compares all its rivals
              --seed n             of the random order and pauses
              --primitives         only the JMH benchmarks of single steps (clocks, histogram, queue)
              --no-primitives      everything but those
              --list               print scenarios and rivals, and exit
              --help               print this, and exit

            Exit code: 0 done, 1 grossly slower (only with --quick), 2 wrong options, 3 a fork failed.
            """;

    /** More names than this do not help who mistyped one. */
    private static final int MOST_NAMED = 30;

    private static final int FULL_ROUNDS = 10;
    private static final int QUICK_ROUNDS = 3;
    private static final List<String> QUICK_SCENARIOS =
            List.of("bounded-empty", "bounded-1us", "bounded-100us", "unbounded-1us", "burst");
    private static final List<String> QUICK_RIVALS = List.of(Rivals.BASELINE, Rivals.MICROMETER, Rivals.OURS);
    private static final List<String> PAIR = List.of(Rivals.BASELINE, Rivals.OURS);

    private boolean quick;
    private boolean help;
    private boolean list;
    private boolean append;
    private boolean freshTasks = true;
    private @Nullable Boolean primitives;
    private @Nullable Path before;
    private final Set<String> scenarios = new LinkedHashSet<>();
    private final Set<String> families = new LinkedHashSet<>();
    private final Set<String> rivals = new LinkedHashSet<>();
    private int rounds;
    private long seed = System.nanoTime();
    private Path out = Path.of("checks", "benchmarks", "results");
    private Path java = Path.of(System.getProperty("java.home"), "bin", "java");

    private Options() {}

    /**
     * Reads a command line.
     *
     * @throws UsageException if it is wrong
     */
    public static Options parse(String... arguments) {
        Options options = new Options();
        Deque<String> rest = new ArrayDeque<>(Arrays.asList(arguments));
        while (!rest.isEmpty()) {
            options.read(rest.remove(), rest);
        }
        if (options.primitivesOnly() && (options.hasScenarios() || !options.rivals.isEmpty())) {
            throw new UsageException("--primitives runs no scenario and no rival: leave --scenario and --rival out");
        }
        if (options.primitivesOnly() && options.append) {
            throw new UsageException("--primitives prints its table and writes nothing: leave --append out");
        }
        if (options.rivals.contains(Rivals.BEFORE) && options.before == null) {
            throw new UsageException("--rival before needs --before and a jar");
        }
        if (options.plan().isEmpty()) {
            throw new UsageException("none of the rivals %s can take part in any of the scenarios %s"
                    .formatted(options.rivals, options.scenarios));
        }
        return options;
    }

    private void read(String option, Deque<String> rest) {
        switch (option) {
            case "--quick" -> quick = true;
            case "--help", "-h" -> help = true;
            case "--list" -> list = true;
            case "--append" -> append = true;
            case "--primitives" -> primitives = true;
            case "--no-primitives" -> primitives = false;
            case "--scenario" -> readScenarios(value(option, rest));
            case "--rival" -> rivals.addAll(names("rival", value(option, rest), Rivals.all(), Rival::name));
            case "--before" -> before = jar(option, value(option, rest));
            case "--rounds" -> rounds = (int) number(option, value(option, rest), 1, 1_000);
            case "--seed" -> seed = number(option, value(option, rest), Long.MIN_VALUE, Long.MAX_VALUE);
            case "--tasks" -> freshTasks = fresh(value(option, rest));
            case "--out" -> out = path(option, value(option, rest));
            case "--java" -> java = path(option, value(option, rest));
            default -> throw new UsageException("unknown option '%s' (try --help)".formatted(option));
        }
    }

    private void readScenarios(String value) {
        for (String wanted : value.split(",", -1)) {
            if (Scenarios.all().stream().anyMatch(scenario -> scenario.isIn(wanted))) {
                families.add(wanted);
            } else {
                scenarios.addAll(names("scenario", wanted, Scenarios.all(), Scenario::name));
            }
        }
    }

    private static String value(String option, Deque<String> rest) {
        String value = rest.poll();
        if (value == null || value.startsWith("--")) {
            throw new UsageException("%s needs a value (try --help)".formatted(option));
        }
        return value;
    }

    private static long number(String option, String value, long least, long most) {
        try {
            long number = Long.parseLong(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new UsageException(
                "%s must be a whole number from %d to %d (was '%s')".formatted(option, least, most, value));
    }

    private static boolean fresh(String value) {
        return switch (value) {
            case "fresh" -> true;
            case "shared" -> false;
            default -> throw new UsageException("--tasks must be fresh or shared (was '%s')".formatted(value));
        };
    }

    private static Path path(String option, String value) {
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw new UsageException("%s is no path: '%s'".formatted(option, value));
        }
    }

    private static Path jar(String option, String value) {
        Path jar = path(option, value);
        if (!Files.isRegularFile(jar)) {
            throw new UsageException("%s must be a jar file (was '%s')".formatted(option, value));
        }
        return jar;
    }

    private static <T> List<String> names(String what, String value, Collection<T> known, Function<T, String> name) {
        List<String> found = new ArrayList<>();
        for (String wanted : value.split(",", -1)) {
            List<String> matches = known.stream()
                    .map(name)
                    .filter(each -> matches(each, wanted))
                    .toList();
            if (matches.isEmpty()) {
                throw new UsageException("unknown %s '%s'; there are: %s%s"
                        .formatted(
                                what,
                                wanted,
                                known.stream().map(name).limit(MOST_NAMED).collect(Collectors.joining(", ")),
                                known.size() > MOST_NAMED ? ", … (see --list)" : ""));
            }
            found.addAll(matches);
        }
        return found;
    }

    private static boolean matches(String name, String wanted) {
        return wanted.endsWith("*") ? name.startsWith(wanted.substring(0, wanted.length() - 1)) : name.equals(wanted);
    }

    /** All pairings to measure, scenario by scenario. The baseline is always among the rivals. */
    public List<Pairing> plan() {
        Map<String, List<Scenario>> byFork = new LinkedHashMap<>();
        Scenarios.all().stream()
                .filter(this::wants)
                .forEach(scenario -> byFork.computeIfAbsent(scenario.fork(), fork -> new ArrayList<>())
                        .add(scenario));
        List<Pairing> plan = new ArrayList<>();
        byFork.values()
                .forEach(scenarios -> Rivals.all().stream()
                        .filter(rival -> wants(rival, scenarios.get(0))
                                && scenarios.get(0).admits(rival))
                        .forEach(rival -> plan.add(new Pairing(scenarios, rival))));
        return plan;
    }

    private boolean wants(Scenario scenario) {
        if (!hasScenarios()) {
            return quick
                    ? QUICK_SCENARIOS.contains(scenario.name())
                    : before == null ? !scenario.isOnDemand() : Target.main().contains(scenario.name());
        }
        return scenarios.contains(scenario.name())
                || families.stream().anyMatch(scenario::isIn) && (!quick || scenario.isQuick());
    }

    /** Scenarios on demand and an earlier jar are compared with the baseline only, unless rivals are named. */
    private boolean wants(Rival rival, Scenario scenario) {
        if (rival.name().equals(Rivals.BEFORE)) {
            return before != null;
        }
        if (rivals.isEmpty()) {
            return scenario.isOnDemand() || before != null
                    ? PAIR.contains(rival.name())
                    : !quick || QUICK_RIVALS.contains(rival.name());
        }
        return rivals.contains(rival.name()) || rival.name().equals(Rivals.BASELINE);
    }

    private boolean hasScenarios() {
        return !(scenarios.isEmpty() && families.isEmpty());
    }

    public boolean quick() {
        return quick;
    }

    public boolean help() {
        return help;
    }

    public boolean list() {
        return list;
    }

    /** Whether the results of earlier runs are kept and added to. */
    public boolean append() {
        return append;
    }

    public boolean freshTasks() {
        return freshTasks;
    }

    /** Whether the JMH benchmarks run too: on request, or when everything runs. */
    public boolean withPrimitives() {
        return primitives == null ? !quick && !hasScenarios() && rivals.isEmpty() && before == null : primitives;
    }

    public boolean primitivesOnly() {
        return Boolean.TRUE.equals(primitives);
    }

    public int rounds() {
        return rounds > 0 ? rounds : quick ? QUICK_ROUNDS : FULL_ROUNDS;
    }

    public long seed() {
        return seed;
    }

    public Path out() {
        return out;
    }

    /** The earlier jar to compare with. */
    public Optional<Path> before() {
        return Optional.ofNullable(before);
    }

    public Path java() {
        return java;
    }
}
