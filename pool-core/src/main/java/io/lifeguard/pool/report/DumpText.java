package io.lifeguard.pool.report;

import io.lifeguard.pool.diagnosis.Doing;
import io.lifeguard.pool.report.ThreadDumps.Group;
import io.lifeguard.pool.report.ThreadDumps.LockQueue;
import io.lifeguard.pool.text.Counted;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Dumps as text. Names come from other programs, so what would steer a terminal or turn a line round is not printed. Not thread-safe. */
final class DumpText {

    /** Control characters of both sets, formats such as the marks that turn text round, separators of lines, halves of characters. */
    private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Co}\\p{Cn}]");

    private final ThreadDumps dumps;
    private final int top;
    private final StringBuilder text = new StringBuilder();

    DumpText(ThreadDumps dumps, int top) {
        if (top < 1) {
            throw new IllegalArgumentException("top must be >= 1 (was " + top + ")");
        }
        this.dumps = dumps;
        this.top = top;
        write();
    }

    @Override
    public String toString() {
        return text.toString();
    }

    private void write() {
        int count = dumps.dumps().size();
        line("%s, %.1f threads in each", Counted.of(count, "dump"), dumps.threadsPerDump());
        List<Group> groups = dumps.groups();
        if (!groups.isEmpty()) {
            line("");
            line("threads  doing               where");
            groups.stream()
                    .limit(top)
                    .forEach(group -> line(
                            "%7.1f  %-18s  %s",
                            group.threads(), words(group.doing()), group.place().isEmpty() ? "-" : group.place()));
            more(groups.size());
        }
        List<LockQueue> locks = dumps.locks();
        if (!locks.isEmpty()) {
            line("");
            line("waiters  lock");
            locks.stream().limit(top).forEach(this::lock);
            more(locks.size());
        }
        for (List<DumpedThread> circle : dumps.deadlocks()) {
            line("");
            line("deadlock of %s", Counted.of(circle.size(), "thread"));
            for (int i = 0; i < circle.size(); i++) {
                waits(circle.get(i), circle.get((i + 1) % circle.size()));
            }
        }
    }

    private void lock(LockQueue queue) {
        String lock = queue.lock().startsWith(queue.type()) ? queue.lock() : queue.type() + " " + queue.lock();
        line("%7.1f  %s, wanted at %s", queue.waiters(), lock, queue.place());
        queue.owner()
                .ifPresentOrElse(
                        owner -> line("         held by \"%s\" at %s", owner.name(), owner.place()),
                        () -> line("         the dump does not say who holds it"));
    }

    private void waits(DumpedThread waiter, DumpedThread holder) {
        String lock = waiter.waitsFor().map(DumpedThread.Lock::type).orElse("");
        line("  \"%s\" at %s wants a %s that \"%s\" holds", waiter.name(), waiter.place(), lock, holder.name());
    }

    private void more(int all) {
        if (all > top) {
            line("    ...  and %d more", all - top);
        }
    }

    private static String words(Doing doing) {
        return doing.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private void line(String format, Object... arguments) {
        text.append(printable(String.format(Locale.ROOT, format, arguments))).append('\n');
    }

    static String printable(String line) {
        return INVISIBLE.matcher(line).replaceAll("?");
    }
}
