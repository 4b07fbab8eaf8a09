package io.lifeguard.pool.report;

import io.lifeguard.pool.report.DumpedThread.Lock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads dumps as text, line by line: what {@code jstack}, {@code jcmd Thread.print} and {@code kill -3} print, and the plain form of
 * {@code jcmd Thread.dump_to_file}; several in one file, with anything in between. Not thread-safe.
 */
final class TextDumps {

    private static final Pattern NATIVE_ID = Pattern.compile("\\bnid=\\S");

    // names of threads may hold what ends a line elsewhere: DOTALL
    private static final Pattern FILE_HEADER = Pattern.compile(
            "^#\\d+ \"(.*)\"(?: virtual)?(?: (?:unmounted|mounted))?(?: ([A-Z_]+))?(?: \\d{4}-\\S+)?$", Pattern.DOTALL);
    private static final Pattern STATE = Pattern.compile("^\\s+java\\.lang\\.Thread\\.State: (\\w+).*$");
    private static final Pattern LOCK = Pattern.compile("^\\s+- ([a-z][a-zA-Z() -]*)<([^>]+)>(?: ?\\(an? (.+)\\))?.*$");
    private static final Pattern SYNCHRONIZER = Pattern.compile("^\\s+- <([^>]+)> \\(an? (.+)\\)$");
    private static final Pattern VERDICT = Pattern.compile("^  waiting .*\\b(0x[0-9a-f]+), \\(?an? .*$");
    private static final Pattern HELD_BY = Pattern.compile("^  which is held by \"(.*)\"$", Pattern.DOTALL);

    static final String BEGIN = "Full thread dump";

    private final String source;
    private final Problems problems;
    private final List<ThreadDump> dumps; // where they go
    private final Map<String, Optional<StackTraceElement>> frames = new HashMap<>(); // the same ones, again and again

    private int line;
    private int begun; // the line at which the present dump began; 0: there is none
    private boolean file; // it is of jcmd Thread.dump_to_file
    private boolean complete; // it may end here
    private boolean verdicts; // its threads are over, what follows is the JVM's own list of deadlocks
    private @Nullable ThreadDraft thread;
    private boolean stackEnded; // what follows may be the log's
    private String verdict = "";
    private List<DumpedThread> threads = new ArrayList<>();
    private Map<String, String> holders = new HashMap<>();

    TextDumps(String source, Problems problems, List<ThreadDump> dumps) {
        this.source = source;
        this.problems = problems;
        this.dumps = dumps;
    }

    /** Ends the present dump, if there is one, because of what happens in its place. */
    void end(String why) {
        if (begun > 0 && !complete) {
            problem(why + " before the dump of line " + begun + " has ended");
        }
        end();
    }

    void read(int number, String text) {
        line = number;
        if (text.startsWith(BEGIN)) {
            end("another dump begins");
            begin(false);
        } else if (text.startsWith("JNI global ref")) {
            endThread();
            verdicts = true;
            complete = true;
        } else if (text.startsWith("Found ") && text.contains("deadlock")) {
            endThread();
            verdicts = true;
        } else if (verdicts && !text.startsWith("#")) {
            readVerdict(text);
        } else if (text.startsWith("\"")) {
            readHeader(text);
        } else if (text.startsWith("#")) {
            readFileHeader(text);
        } else if (text.isBlank()) {
            stackEnded = true;
        } else if (thread != null) {
            readBody(thread, text);
        }
    }

    private void readHeader(String text) {
        String name = nameIn(text);
        if (name != null) {
            if (begun == 0) {
                problem("a thread without the beginning of a dump (\"Full thread dump\"); it is used");
                begin(false);
            }
            endThread();
            thread = new ThreadDraft(name, true);
            stackEnded = false;
        } else if (begun > 0) {
            endThread();
            problem("not the header of a thread: " + excerpt(text));
        }
    }

    /**
     * Between the first quote and the last one before the system's number of the thread, since a name may hold quotes; null where this is no header.
     * Not by one pattern, which would try each quote with each number.
     */
    private static @Nullable String nameIn(String header) {
        int number = -1;
        for (Matcher each = NATIVE_ID.matcher(header); each.find(); ) {
            number = each.start();
        }
        int end = number < 0 ? -1 : header.lastIndexOf("\" ", number - 2);
        return end < 1 ? null : header.substring(1, end);
    }

    private void readFileHeader(String text) {
        Matcher header = FILE_HEADER.matcher(text);
        if (!header.matches()) {
            return; // a comment of something else's
        }
        if (begun == 0 || !file || (text.startsWith("#1 ") && !threads.isEmpty())) {
            begin(true);
        }
        endThread();
        ThreadDraft draft = new ThreadDraft(header.group(1), false);
        thread = draft;
        stackEnded = false;
        if (header.group(2) != null) {
            state(draft, header.group(2));
        }
    }

    private void readBody(ThreadDraft draft, String text) {
        String trimmed = text.trim();
        if (stackEnded && !trimmed.startsWith("- ")) {
            return; // after the empty line there are locks only; a log's exception has frames as well
        }
        Matcher state = STATE.matcher(text);
        if (state.matches()) {
            state(draft, state.group(1));
        } else if (trimmed.startsWith("at ")
                || (!draft.needsState && trimmed.endsWith(")") && text.startsWith("    "))) {
            Optional<StackTraceElement> frame = frames.computeIfAbsent(
                    trimmed.startsWith("at ") ? trimmed.substring(3) : trimmed, FrameReader::parse);
            frame.ifPresentOrElse(draft.stack::add, () -> problem("not a frame: " + excerpt(text)));
        } else if (trimmed.startsWith("- ")) {
            readLock(draft, text);
        }
    }

    private void readLock(ThreadDraft draft, String text) {
        Matcher synchronizer = SYNCHRONIZER.matcher(text);
        if (synchronizer.matches()) {
            draft.holds(synchronizer.group(1));
            return;
        }
        Matcher lock = LOCK.matcher(text);
        if (!lock.matches()) {
            boolean harmless = text.contains("- None") || text.contains("eliminated") || text.contains("<no object");
            if (!harmless) {
                problem("not a lock: " + excerpt(text));
            }
            return;
        }
        String identity = lock.group(2);
        switch (lock.group(1).strip()) {
            case "locked" -> draft.holds(identity);
            case "waiting on" -> draft.waitsInMonitor(identity);
            case "waiting to lock", "waiting to re-lock in wait()", "parking to wait for" ->
                draft.wants(new Lock(identity, type(identity, lock.group(3))));
            default -> {
                // "eliminated": a lock that the compiler has removed
            }
        }
    }

    /** Who holds what is said here even where the threads' own lines do not tell. */
    private void readVerdict(String text) {
        Matcher waiting = text.startsWith("  waiting") ? VERDICT.matcher(text) : null;
        Matcher held = HELD_BY.matcher(text);
        if (waiting != null && waiting.matches()) {
            verdict = waiting.group(1);
        } else if (held.matches() && !verdict.isEmpty()) {
            holders.put(verdict, held.group(1));
            verdict = "";
        }
    }

    private void state(ThreadDraft draft, String name) {
        try {
            draft.state(Thread.State.valueOf(name));
        } catch (IllegalArgumentException unknown) {
            problem("not a state: " + excerpt(name));
        }
    }

    private static String type(String identity, @Nullable String type) {
        int at = identity.indexOf('@');
        return type != null ? type : at < 0 ? "" : identity.substring(0, at);
    }

    private void begin(boolean ofFile) {
        end();
        begun = line;
        file = ofFile;
        complete = ofFile;
    }

    private void end() {
        endThread();
        if (begun > 0) {
            dumps.add(new ThreadDump(source + ":" + begun, threads, holders));
        }
        threads = new ArrayList<>();
        holders = new HashMap<>();
        verdicts = false;
        begun = 0;
    }

    private void endThread() {
        if (thread != null) {
            thread.build().ifPresent(threads::add);
            thread = null;
        }
    }

    private void problem(String what) {
        problems.add(line, what);
    }

    private static String excerpt(String text) {
        String trimmed = text.trim();
        return trimmed.length() <= 60 ? trimmed : trimmed.substring(0, 60) + "…";
    }
}
