package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.Selectors;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.lifeguard.pool.tools.jvm.Jcmd;
import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import io.lifeguard.pool.tools.watch.ThreadShapes.Shaped;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Lists the JVMs of this machine and user, and takes a quick look at each. Stateless. */
public final class JvmList {

    private static final int DUMPS = 3;
    private static final long PAUSE_MILLIS = 100;

    /** Of a pool's threads: more at one place, in all dumps, is worth a look. */
    private static final double SUSPICIOUS = 0.5;

    private static final int SMALLEST_POOL = 2;

    /** As many pools of one thread, whose threads wait at one place, are worth a look. */
    private static final int FEWEST_SEVERAL = 4;

    private static final String SEVERAL = "(several, of one thread each)";

    /** As many threads of a pool that compute all the time are enough for all CPUs. */
    private static final double COMPUTING_PER_CPU = 1.2;

    private static final int NO_CPUS = Integer.MAX_VALUE; // are known

    private JvmList() {}

    /**
     * A JVM.
     *
     * @param pid its process
     * @param name its main class or jar, without control characters
     */
    public record Jvm(long pid, String name) {}

    /**
     * A quick look at a JVM.
     *
     * @param pools how many pools it has
     * @param threads how many threads run Java
     * @param suspicion what many threads of one pool do; empty when there is nothing of the kind
     * @param skipped the busy threads that belong to no pool, so they are not judged; empty when all dumps show none
     * @param carriers how many virtual threads have a carrier, and nothing else of them; empty where none has run
     */
    public record Summary(
            int pools,
            int threads,
            Optional<Suspicion> suspicion,
            Optional<String> skipped,
            Optional<Carriers> carriers) {}

    /**
     * Many threads of one pool that wait at one place, or compute.
     *
     * @param pool the pool's name; in parentheses where several executors of one thread are meant
     * @param threads how many, in the dump with fewest of them
     * @param doing what they do
     * @param waitsFor the limited resource that they wait for in line; empty otherwise
     * @param place the first frame that is the user's own; where they compute, that of most of them
     */
    public record Suspicion(String pool, int threads, Doing doing, String waitsFor, String place) {

        /** {@return the same in one line} */
        public String words() {
            String what = doing.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            String whose = pool.equals(SEVERAL) ? "several pools of one thread each" : "pool " + LogText.name(pool);
            return Counted.of(threads, "thread") + " of " + whose + " " + what
                    + (waitsFor.isEmpty() ? "" : " for " + waitsFor) + " at " + place;
        }
    }

    /** Threads of one pool that do the same. */
    private record Group(String pool, Doing doing, String waitsFor, String place) {}

    /** {@return the JVMs of this user, except this one, by number} */
    public static List<Jvm> all() throws CannotLookException {
        try {
            long own = ProcessHandle.current().pid();
            return Jcmd.list(Target.PATIENCE)
                    .lines()
                    .filter(line -> line.matches("\\d{1,18}( .*)?"))
                    .map(JvmList::jvm)
                    .filter(jvm -> jvm.pid() != own && !jvm.name().contains("sun.tools.jcmd.JCmd"))
                    .sorted(Comparator.comparingLong(Jvm::pid))
                    .toList();
        } catch (IOException e) {
            throw new CannotLookException("the JVMs of this machine cannot be listed: " + e.getMessage());
        }
    }

    private static Jvm jvm(String line) {
        String[] words = line.split(" ", 3);
        String name = words.length < 2 || words[1].isEmpty() ? "(unknown)" : words[1];
        return new Jvm(Long.parseLong(words[0]), LogText.clean(name));
    }

    /** Takes three dumps of a JVM. */
    public static Summary look(long pid) throws CannotLookException, InterruptedException {
        Target target = Target.of(pid);
        List<ThreadDump> dumps = new ArrayList<>();
        for (int i = 0; i < DUMPS; i++) {
            if (i > 0) {
                Thread.sleep(PAUSE_MILLIS);
            }
            dumps.add(target.dump(false));
        }
        ThreadDump last = dumps.get(DUMPS - 1);
        ThreadShapes shapes = new ThreadShapes();
        BusyGroups unjudged = new BusyGroups();
        List<FoundPool> pools = List.of();
        for (ThreadDump dump : dumps) {
            Shaped threads = PoolFinder.find(dump, UnaryOperator.identity(), shapes);
            unjudged.see(threads.others());
            pools = threads.pools();
        }
        return new Summary(
                pools.size(),
                last.threads().size(),
                suspicion(dumps, Runtime.getRuntime().availableProcessors()),
                unjudged.words(0),
                Carriers.of(last, pools, target::scheduler));
    }

    /**
     * {@return the largest group of threads that wait at one place, as the dump with fewest of them shows it} Threads
     * that compute are no such group, because it is unknown how many CPUs the process had.
     */
    public static Optional<Suspicion> suspicion(List<ThreadDump> dumps) {
        return suspicion(dumps, NO_CPUS);
    }

    /** The same, where threads that compute are suspicious if they are more than these CPUs can run. */
    static Optional<Suspicion> suspicion(List<ThreadDump> dumps, int cpus) {
        Map<Group, Integer> fewest = new HashMap<>();
        for (int i = 0; i < dumps.size(); i++) {
            Map<Group, Integer> now = groups(dumps.get(i), cpus);
            if (i == 0) {
                fewest.putAll(now);
            } else {
                fewest.keySet().retainAll(now.keySet());
                fewest.replaceAll((group, count) -> Math.min(count, now.getOrDefault(group, 0)));
            }
        }
        return fewest.entrySet().stream()
                .map(group -> suspicion(group.getKey(), group.getValue(), dumps.get(dumps.size() - 1)))
                .max(Comparator.comparingInt(Suspicion::threads).thenComparing(Suspicion::words));
    }

    private static Suspicion suspicion(Group group, int threads, ThreadDump latest) {
        String place = group.doing == Doing.COMPUTING ? computingPlace(group.pool, latest) : group.place;
        return new Suspicion(group.pool, threads, group.doing, group.waitsFor, place);
    }

    private static String computingPlace(String pool, ThreadDump dump) {
        return PoolFinder.find(dump).stream()
                .filter(found -> found.name().equals(pool))
                .flatMap(found -> found.workers().stream())
                .filter(worker -> Selectors.doing(worker) == Doing.COMPUTING)
                .collect(Collectors.groupingBy(DumpedThread::place, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse("");
    }

    /** The waiting groups that are half of their pool, and those that compute and are more than the CPUs. */
    private static Map<Group, Integer> groups(ThreadDump dump, int cpus) {
        Map<Group, Integer> found = new HashMap<>();
        Map<Group, Integer> singles = new HashMap<>();
        for (FoundPool pool : PoolFinder.find(dump)) {
            Map<Group, Integer> counts = new HashMap<>();
            for (DumpedThread worker : pool.workers()) {
                group(pool.name(), worker).ifPresent(group -> counts.merge(group, 1, Integer::sum));
            }
            boolean hasIdle = pool.workers().stream().anyMatch(worker -> Selectors.doing(worker) == Doing.IDLE);
            counts.forEach((group, count) -> {
                boolean isMany = group.doing == Doing.COMPUTING
                        ? count > COMPUTING_PER_CPU * cpus
                        : count >= SUSPICIOUS * pool.workers().size()
                                && count >= SMALLEST_POOL
                                && !(hasIdle && mayLast(group.doing));
                if (pool.kind().isJudged() && isMany) {
                    found.put(group, count);
                } else if (pool.kind().isJudged() && pool.workers().size() == 1 && group.doing != Doing.COMPUTING) {
                    singles.merge(new Group(SEVERAL, group.doing, group.waitsFor, group.place), 1, Integer::sum);
                }
            });
        }
        singles.values().removeIf(count -> count < FEWEST_SEVERAL);
        found.putAll(singles);
        return found;
    }

    /** A request may wait for an event for minutes. That harms nobody while an idle worker takes the next one. */
    private static boolean mayLast(Doing doing) {
        return doing == Doing.WAITING_FOR_RESULT || doing == Doing.WAITING_OUTSIDE;
    }

    /** Who waits for a message waits in line as well, so a line is suspicious only where something limited is lent. */
    private static Optional<Group> group(String pool, DumpedThread worker) {
        Doing doing = Selectors.doing(worker);
        return switch (doing) {
            case WAITING_FOR_LOCK, WAITING_FOR_RESULT, WAITING_OUTSIDE ->
                Optional.of(new Group(pool, doing, "", worker.place()));
            case WAITING_IN_LINE ->
                ThreadShapes.limitedResource(worker).map(resource -> new Group(pool, doing, resource, worker.place()));
            case COMPUTING -> Optional.of(new Group(pool, doing, "", ""));
            default -> Optional.empty();
        };
    }
}
