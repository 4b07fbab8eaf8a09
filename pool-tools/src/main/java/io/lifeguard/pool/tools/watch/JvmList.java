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
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Lists the JVMs of this machine and user, and takes a quick look at each. Stateless. */
public final class JvmList {

    private static final int DUMPS = 3;
    private static final long PAUSE_MILLIS = 100;

    /** Of a pool's threads: more at one place, in all dumps, is worth a look. */
    private static final double SUSPICIOUS = 0.5;

    private static final int SMALLEST_POOL = 2;

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
     * @param suspicion what many threads of one pool do, in one line; empty when there is nothing of the kind
     */
    public record Summary(int pools, int threads, Optional<String> suspicion) {}

    /**
     * {@return the JVMs of this user, except this one, by number}
     *
     * @throws CannotLookException if there is no {@code jcmd}
     */
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

    /**
     * Takes three dumps of a JVM.
     *
     * @param pid its process
     * @return what they show
     * @throws CannotLookException if it cannot be looked at
     * @throws InterruptedException if interrupted between two dumps
     */
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
        return new Summary(PoolFinder.find(last).size(), last.threads().size(), suspicion(dumps));
    }

    /** The largest group of threads that wait at one place, as the dump with fewest of them shows it. */
    static Optional<String> suspicion(List<ThreadDump> dumps) {
        Map<String, Integer> fewest = new HashMap<>(); // by the words for the group
        for (int i = 0; i < dumps.size(); i++) {
            Map<String, Integer> now = groups(dumps.get(i));
            if (i == 0) {
                fewest.putAll(now);
            } else {
                fewest.keySet().retainAll(now.keySet());
                fewest.replaceAll((words, count) -> Math.min(count, now.getOrDefault(words, 0)));
            }
        }
        return fewest.entrySet().stream()
                .max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(group -> Counted.of(group.getValue(), "thread") + " of " + group.getKey());
    }

    /** The waiting groups that are half of their pool, by the words for them. */
    private static Map<String, Integer> groups(ThreadDump dump) {
        Map<String, Integer> found = new HashMap<>();
        for (FoundPool pool : PoolFinder.find(dump)) {
            Map<String, Integer> counts = new HashMap<>();
            for (DumpedThread worker : pool.workers()) {
                Doing doing = Selectors.doing(worker);
                if (isSuspicious(doing)) {
                    String words = "pool " + LogText.name(pool.name()) + " " + words(doing) + " at " + worker.place();
                    counts.merge(words, 1, Integer::sum);
                }
            }
            counts.forEach((words, count) -> {
                boolean isMany = count >= SUSPICIOUS * pool.workers().size() && count >= SMALLEST_POOL;
                if (pool.kind().isJudged() && isMany) {
                    found.put(words, count);
                }
            });
        }
        return found;
    }

    private static boolean isSuspicious(Doing doing) {
        return doing == Doing.WAITING_FOR_LOCK || doing == Doing.WAITING_FOR_RESULT || doing == Doing.WAITING_OUTSIDE;
    }

    private static String words(Doing doing) {
        return doing.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
