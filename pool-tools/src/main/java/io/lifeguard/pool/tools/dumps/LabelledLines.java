package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads forms in which each line of a thread says by a word what it is, and frames stand alone: the page
 * {@code /stacks} of Hadoop, and a thread that was copied from JConsole. Stateless.
 */
final class LabelledLines {

    /** With this begins a dump of Hadoop. */
    static final String BEGIN = "Process Thread Dump:";

    private static final Pattern HADOOP = Pattern.compile("^Thread (\\d{1,18})(?: \\((.*)\\))?:$", Pattern.DOTALL);

    // State: BLOCKED on com.example.Orders@1e1 owned by: orders-2
    // Blocked on com.example.Orders@1e1
    private static final Pattern WAIT = Pattern.compile(
            "^(?:State: ([A-Z_]{3,13})|(?:Blocked|Waiting))(?: on ([\\w.$/\\[;]+@[0-9a-f]+))?(?: owned by: (.*))?$",
            Pattern.DOTALL);

    private static final Pattern BLOCKED_BY = Pattern.compile("^Blocked by (\\d{1,18})\\b.*$", Pattern.DOTALL);

    private LabelledLines() {}

    /**
     * Returns the thread that begins in a line; empty where none does.
     *
     * @param before the line before it
     */
    static Optional<ThreadDraft> thread(String before, String line, boolean isHadoop) {
        Matcher header = HADOOP.matcher(line);
        if (isHadoop && line.startsWith("Thread ") && header.matches()) {
            ThreadDraft draft = new ThreadDraft(header.group(2) == null ? "" : header.group(2), false);
            draft.id = Optional.of(header.group(1));
            return Optional.of(draft);
        }
        if (before.startsWith("Name: ") && line.startsWith("State: ")) {
            return Optional.of(new ThreadDraft(before.substring("Name: ".length()), false));
        }
        return Optional.empty();
    }

    /** Reads a line of a thread. Returns false where it may be one that other forms have as well. */
    static boolean read(ThreadDraft draft, String line) {
        Matcher wait = WAIT.matcher(line);
        Matcher holder = BLOCKED_BY.matcher(line);
        if (wait.matches()) {
            if (wait.group(1) != null) {
                draft.state(Thread.State.valueOf(wait.group(1)));
            }
            Optional<Lock> lock = JsonDumpReader.lock(wait.group(2) == null ? "" : wait.group(2));
            lock.ifPresent(draft::waitsOn);
            draft.heldBy = Optional.ofNullable(wait.group(3)).or(() -> draft.heldBy);
        } else if (holder.matches()) {
            draft.heldBy = Optional.of(holder.group(1));
        } else {
            return false;
        }
        return true;
    }
}
