package io.lifeguard.pool.corpus.report;

import io.lifeguard.pool.corpus.run.Replay;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The report about windows that were recorded and judged again. Immutable.
 *
 * @param replays one per run
 */
public record RecordedReport(List<Replay> replays) {

    /** In so many of a hundred runs the recording must give the findings of the monitor. */
    private static final double SAME = 0.95;

    /** Copies the list. */
    public RecordedReport {
        replays = List.copyOf(replays);
    }

    /** Whether enough recordings gave the same findings. */
    public boolean isGood() {
        return !replays.isEmpty() && same() >= SAME * replays.size();
    }

    private long same() {
        return replays.stream().filter(RecordedReport::isSame).count();
    }

    private static boolean isSame(Replay replay) {
        return replay.isJudged() && replay.isSame();
    }

    /** The report as Markdown. */
    public String markdown() {
        StringBuilder out = new StringBuilder("# The findings of recordings\n\n");
        long sick = replays.stream().filter(each -> !each.live().isEmpty()).count();
        out.append(String.format(
                Locale.ROOT,
                "In %d of %d runs the rules raised on the recorded windows what the monitor had raised: the same"
                        + " findings of the same pools.%nThe monitor had raised something in %d of these runs. %d"
                        + " windows were recorded.%n%n",
                same(),
                replays.size(),
                sick,
                replays.stream().mapToLong(Replay::windows).sum()));
        if (same() == replays.size()) {
            return out.toString();
        }
        out.append("| workload | by the monitor only | on the recording only |\n|---|---|---|\n");
        for (Replay replay : replays) {
            if (!isSame(replay)) {
                out.append(String.format(
                        Locale.ROOT,
                        "| `%s` | %s | %s |%n",
                        replay.workload().name(),
                        replay.isJudged() ? without(replay.live(), replay.recorded()) : "no windows were recorded",
                        without(replay.recorded(), replay.live())));
            }
        }
        return out.toString();
    }

    private static String without(Iterable<String> all, Set<String> others) {
        TreeSet<String> left = new TreeSet<>();
        all.forEach(left::add);
        left.removeAll(others);
        return left.isEmpty() ? "–" : String.join(", ", left);
    }
}
