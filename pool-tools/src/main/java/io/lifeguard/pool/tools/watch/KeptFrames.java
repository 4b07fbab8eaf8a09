package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.text.Units;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.Selectors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The frames that no worker of a pool has left while all of them computed, as far as dumps show. Not thread-safe.
 *
 * <p>Workers in an endless loop look like that, and so do workers that run one task after another of the same kind. A
 * dump shows neither the task nor the queue, so nobody can tell which of the two it is.
 */
final class KeptFrames {

    private static final long LONG = Duration.ofSeconds(3).toNanos();

    private Map<Long, List<StackTraceElement>> kept = Map.of(); // by thread, bottom first
    private long since;

    void see(List<DumpedThread> workers, long nanos) {
        Map<Long, List<StackTraceElement>> frames = new HashMap<>();
        Map<Long, List<StackTraceElement>> common = new HashMap<>();
        for (DumpedThread worker : workers) {
            List<StackTraceElement> all = new ArrayList<>(worker.stack());
            Collections.reverse(all);
            long id = worker.nativeId().orElse(-1);
            if (Selectors.doing(worker) == Doing.COMPUTING) {
                frames.put(id, all);
                List<StackTraceElement> same = common(kept.getOrDefault(id, List.of()), all);
                if (UserFrames.hasUsersFrame(same)) {
                    common.put(id, same);
                }
            }
        }
        boolean hasBegun = common.size() < workers.size();
        since = hasBegun ? nanos : since;
        kept = !hasBegun ? common : frames.size() < workers.size() ? Map.of() : frames;
    }

    /** The bottom frames that both have. The last of them may stand at another line. */
    private static List<StackTraceElement> common(List<StackTraceElement> one, List<StackTraceElement> other) {
        int same = 0;
        boolean isLine = true;
        while (isLine && same < Math.min(one.size(), other.size()) && isMethod(one.get(same), other.get(same))) {
            isLine = one.get(same).equals(other.get(same));
            same++;
        }
        return other.subList(0, same);
    }

    private static boolean isMethod(StackTraceElement one, StackTraceElement other) {
        return one.getMethodName().equals(other.getMethodName())
                && one.getClassName().equals(other.getClassName());
    }

    /** {@return what the workers do, as the end of "it is unknown"; empty where one of them has moved lately} */
    Optional<String> words(String pool, long nanos) {
        if (kept.isEmpty() || nanos - since < LONG) {
            return Optional.empty();
        }
        List<StackTraceElement> frames =
                new ArrayList<>(kept.values().iterator().next());
        Collections.reverse(frames);
        return Optional.of(Units.format(
                "%s of pool %s %s at %s, and none has left it for %s: an endless loop, or one task after another",
                kept.size() == 1 ? "the only thread" : "all " + kept.size() + " threads",
                LogText.name(pool),
                kept.size() == 1 ? "computes" : "compute",
                LogText.clean(UserFrames.place(frames)),
                Units.time(Duration.ofNanos(nanos - since))));
    }
}
