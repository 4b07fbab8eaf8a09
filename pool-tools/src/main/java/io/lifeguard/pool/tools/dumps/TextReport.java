package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.tools.dumps.ThreadDumps.Group;
import io.lifeguard.pool.tools.dumps.ThreadDumps.LockQueue;
import io.lifeguard.pool.tools.dumps.ThreadDumps.Series;
import io.lifeguard.pool.tools.dumps.ThreadDumps.Standing;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes thread dumps as text for people. Names come from other programs, so characters that steer a terminal are
 * written as escapes. Not thread-safe.
 */
final class TextReport {

    /** Of threads that stand in one stack. */
    private static final int MOST_NAMES = 3;

    private final int top;
    private final StringBuilder text = new StringBuilder();

    private TextReport(int top) {
        this.top = top;
    }

    static String of(ThreadDumps dumps, int top) {
        if (top < 1) {
            throw new IllegalArgumentException("top must be >= 1 (was " + top + ")");
        }
        TextReport report = new TextReport(top);
        report.line("%s, %.1f threads in each", Counted.of(dumps.dumps().size(), "dump"), dumps.threadsPerDump());
        report.writeStates(dumps.states());
        dumps.notes().forEach(note -> report.line("%s", note));
        report.writeGroups(dumps.groups());
        report.writeLocks(dumps.locks());
        if (dumps.dumps().size() > 1) {
            report.writeSeries(dumps.series());
        }
        report.writeDeadlocks(dumps);
        return report.text.toString();
    }

    /** Returns for instance {@code blocked on monitor}. */
    static String words(Doing doing) {
        return doing.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private void writeStates(Map<Thread.State, Double> states) {
        if (!states.isEmpty()) {
            line(
                    "%s",
                    states.entrySet().stream()
                            .map(state -> String.format(Locale.ROOT, "%s %.1f", state.getKey(), state.getValue()))
                            .collect(Collectors.joining(", ")));
        }
    }

    private void writeGroups(List<Group> groups) {
        if (groups.isEmpty()) {
            return;
        }
        line("");
        line("threads  doing               where");
        for (Group group : groups.subList(0, Math.min(top, groups.size()))) {
            String place = group.place().isEmpty() ? "-" : group.place();
            line("%7.1f  %-18s  %s", group.threads(), words(group.doing()), place);
        }
        writeMore(groups.size());
    }

    private void writeLocks(List<LockQueue> locks) {
        if (locks.isEmpty()) {
            return;
        }
        line("");
        line("waiters  lock");
        locks.subList(0, Math.min(top, locks.size())).forEach(this::writeLock);
        writeMore(locks.size());
    }

    private void writeLock(LockQueue queue) {
        String lock = queue.lock().startsWith(queue.type()) ? queue.lock() : queue.type() + " " + queue.lock();
        line("%7.1f  %s, wanted at %s", queue.waiters(), lock, queue.place());
        queue.owner()
                .ifPresentOrElse(
                        owner -> line(
                                "         held by \"%s\" at %s%s",
                                owner.name(), owner.place(), top(owner.stack(), owner.place())),
                        () -> line("         the dump does not say who holds it"));
    }

    /** The method in which the holder is, where that is another one than the user's own. */
    private static String top(List<StackTraceElement> stack, String place) {
        if (stack.isEmpty()) {
            return "";
        }
        StackTraceElement frame = stack.get(0);
        String top = frame.getClassName() + "." + frame.getMethodName();
        return place.startsWith(top + "(") ? "" : ", in " + top;
    }

    private void writeSeries(List<Series> processes) {
        for (Series series : processes.subList(0, Math.min(top, processes.size()))) {
            List<ThreadDump> dumps = series.dumps();
            ThreadDump first = dumps.get(0);
            ThreadDump last = dumps.get(dumps.size() - 1);
            line("");
            line(
                    "%s of %s, %s%s",
                    Counted.of(dumps.size(), "dump"),
                    series.process().isEmpty() ? "one process" : "process " + series.process(),
                    fromTo(first.source(), last.source()),
                    first.time().isEmpty() || last.time().isEmpty() ? "" : ", " + fromTo(first.time(), last.time()));
            if (dumps.size() > 1) {
                writeMovements(series);
            }
        }
        writeMore(processes.size());
    }

    private static String fromTo(String first, String last) {
        return first.equals(last) ? first : first + " to " + last;
    }

    private void writeMovements(Series series) {
        line(
                "  %s in all of them: %d moved, %d idle, %d where they stood",
                Counted.of(series.threads(), "thread"),
                series.moved(),
                series.idle(),
                series.threads() - series.idle() - series.moved());
        for (Standing standing :
                series.standing().subList(0, Math.min(top, series.standing().size()))) {
            List<String> names = standing.names();
            line(
                    "%7d  %-18s  %s%s: %s%s",
                    names.size(),
                    words(standing.doing()),
                    standing.place(),
                    top(standing.stack(), standing.place()),
                    String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size()))),
                    names.size() > MOST_NAMES ? ", and " + (names.size() - MOST_NAMES) + " more" : "");
        }
        writeMore(series.standing().size());
    }

    private void writeDeadlocks(ThreadDumps dumps) {
        List<List<DumpedThread>> circles = dumps.deadlocks();
        circles.forEach(this::writeDeadlock);
        dumps.starvations().forEach(starvation -> {
            line("");
            line("%s", starvation);
        });
        if (!dumps.doubts().isEmpty()) {
            line("");
            line("whether there is %s deadlock cannot be told:", circles.isEmpty() ? "a" : "another");
            dumps.doubts().forEach(doubt -> line("  %s", doubt));
        } else if (circles.isEmpty() && !dumps.dumps().isEmpty()) {
            line("");
            line("no deadlock");
        }
    }

    private void writeDeadlock(List<DumpedThread> circle) {
        line("");
        line("deadlock of %s", Counted.of(circle.size(), "thread"));
        for (int i = 0; i < circle.size(); i++) {
            DumpedThread waiter = circle.get(i);
            DumpedThread holder = circle.get((i + 1) % circle.size());
            String lock = waiter.waitsFor().map(DumpedThread.Lock::type).orElse("");
            String wait = waiter.doing() == Doing.WAITING_FOR_RESULT
                    ? "waits for a result that \"" + holder.name() + "\" seems to have to bring"
                    : "wants " + (lock.startsWith("the ") ? "" : "a ") + lock + " that \"" + holder.name() + "\" holds";
            line("  \"%s\" at %s %s", waiter.name(), waiter.place(), wait);
        }
    }

    private void writeMore(int all) {
        if (all > top) {
            line("    ...  and %d more", all - top);
        }
    }

    private void line(String format, Object... arguments) {
        text.append(LogText.clean(String.format(Locale.ROOT, format, arguments)))
                .append('\n');
    }
}
