package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads dumps in text form, line by line. Knows the output of {@code jstack}, {@code jcmd Thread.print} and {@code kill
 * -3}, and the plain form of {@code jcmd Thread.dump_to_file}. Ignores other text between dumps. Not thread-safe.
 */
final class TextDumpReader {

    static final String BEGIN = "Full thread dump";

    private static final Pattern NATIVE_ID = Pattern.compile("\\bnid=\\S");

    /** A carrier has its native id in front: {@code "ForkJoinPool-1-worker-1" #23 [14864] daemon … tid=0x… [0x…]}. */
    private static final Pattern CARRIER_ID = Pattern.compile("\\btid=0x");

    private static final Pattern CARRIER_NUMBER = Pattern.compile("^.?\" #\\d{1,18} \\[(\\d{1,18})\\] ");

    private static final Pattern NUMBER = Pattern.compile("\\bnid=(0x[0-9a-f]{1,15}|[1-9][0-9]{0,17}|0)\\b");

    // #31 "orders-1" virtual WAITING 2026-11-22T10:00:00Z
    // DOTALL, because a name may contain characters that a pattern takes for the end of a line
    private static final Pattern FILE_HEADER = Pattern.compile(
            "^#\\d+ \"(.*)\"( virtual)?(?: (?:unmounted|mounted))?(?: ([A-Z_]+))?(?: \\d{4}-\\S+)?$", Pattern.DOTALL);
    private static final Pattern STATE = Pattern.compile("^\\s+java\\.lang\\.Thread\\.State: (\\w+).*$");

    // - waiting to lock <0x000000076ab2c1f0> (a com.example.Orders)
    private static final Pattern LOCK = Pattern.compile("^\\s+- ([a-z][a-zA-Z() -]*)<([^>]+)>(?: ?\\(an? (.+)\\))?.*$");

    private static final String CARRIES = "Carrying virtual thread #";
    private static final String MOUNTED = "Mounted virtual thread #"; // since JDK 24
    private static final String INITIALISATION = "- waiting on the Class initialization monitor for ";

    // in the list of owned synchronizers:
    // - <0x000000076ab2c1f0> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
    private static final Pattern SYNCHRONIZER = Pattern.compile("^\\s+- <([^>]+)> \\(an? (.+)\\)$");

    // Two lines of the JVM's own list of deadlocks
    private static final Pattern WANTED = Pattern.compile("^  waiting .*\\b(0x[0-9a-f]+), \\(?an? .*$");
    private static final Pattern HELD_BY = Pattern.compile("^  which is held by \"(.*)\"$", Pattern.DOTALL);

    private final String source;
    private final ReadProblems problems;
    private final StackCache cache;
    private final List<ThreadDump> dumps; // receives each dump that was read

    private int line;
    private int firstLine; // the first line of the current dump; 0 outside of a dump
    private boolean isFile; // the current dump is one of jcmd Thread.dump_to_file
    private boolean isComplete; // the current dump may end here
    private boolean listsDeadlocks; // the threads have ended, and the JVM's own list of deadlocks follows
    private @Nullable ThreadDraft thread;
    private boolean stackEnded; // frames that follow belong to something else
    private String wantedLock = ""; // in the list of deadlocks
    private List<DumpedThread> threads = new ArrayList<>();
    private Map<String, String> holders = new HashMap<>();

    TextDumpReader(String source, ReadProblems problems, StackCache cache, List<ThreadDump> dumps) {
        this.source = source;
        this.problems = problems;
        this.cache = cache;
        this.dumps = dumps;
    }

    /** Ends the current dump, if there is one. Reports a dump that ends too early, with the reason. */
    void end(String why) {
        if (firstLine > 0 && !isComplete) {
            problems.addCut(line, why + " before the dump of line " + firstLine + " has ended");
        }
        end();
    }

    /** Reads the next line of the source. */
    void read(int number, String text) {
        line = number;
        if (text.startsWith(BEGIN)) {
            end("another dump begins");
            begin(false);
        } else if (text.startsWith("JNI global ref")) { // the last line before the list of deadlocks
            endThread();
            listsDeadlocks = true;
            isComplete = true;
        } else if (text.startsWith("Found ") && text.contains("deadlock")) {
            endThread();
            listsDeadlocks = true;
        } else if (listsDeadlocks && !text.startsWith("#")) {
            readDeadlock(text);
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
            if (firstLine == 0) {
                problem("a thread without the beginning of a dump (\"Full thread dump\"); it is used");
                begin(false);
            }
            endThread();
            ThreadDraft draft = new ThreadDraft(name, true);
            nativeId(text.substring(name.length())).ifPresent(draft::nativeId);
            thread = draft;
            stackEnded = false;
        } else if (firstLine > 0) {
            endThread();
            problem("not the header of a thread: " + excerpt(text));
        }
    }

    /**
     * Returns the text between the first quote and the last quote before the thread's native id, because a name may
     * contain quotes. Returns null where the line is not a header. One pattern for the whole line would try each quote
     * with each id, and take seconds for some lines.
     */
    private static @Nullable String nameIn(String header) {
        int nativeId = last(NATIVE_ID, header);
        int id = nativeId < 0 ? last(CARRIER_ID, header) : nativeId;
        int end = id < 0 ? -1 : header.lastIndexOf("\" ", id - 2);
        return end < 1 ? null : header.substring(1, end);
    }

    private static int last(Pattern pattern, String text) {
        int start = -1;
        for (Matcher each = pattern.matcher(text); each.find(); ) {
            start = each.start();
        }
        return start;
    }

    /** Reads the native id behind a name: {@code nid=0x1a2b} until JDK 20, {@code nid=6699} later. */
    private static OptionalLong nativeId(String header) {
        OptionalLong id = OptionalLong.empty();
        for (Matcher each = NUMBER.matcher(header); each.find(); ) {
            try {
                id = OptionalLong.of(Long.decode(each.group(1)));
            } catch (NumberFormatException ignored) { // too large for a number of a thread
                id = OptionalLong.empty();
            }
        }
        Matcher carrier = CARRIER_NUMBER.matcher(header);
        return id.isEmpty() && carrier.find() ? OptionalLong.of(Long.parseLong(carrier.group(1))) : id;
    }

    private void readFileHeader(String text) {
        Matcher header = FILE_HEADER.matcher(text);
        if (!header.matches()) {
            return; // a comment in other text
        }
        if (firstLine == 0 || !isFile || (text.startsWith("#1 ") && !threads.isEmpty())) {
            begin(true);
        }
        endThread();
        ThreadDraft draft = new ThreadDraft(header.group(1), false);
        thread = draft;
        stackEnded = false;
        if (header.group(2) != null) {
            draft.isVirtual();
        }
        if (header.group(3) != null) {
            state(draft, header.group(3));
        }
    }

    private void readBody(ThreadDraft draft, String text) {
        String trimmed = text.trim();
        if (stackEnded && !trimmed.startsWith("- ")) {
            return; // after the empty line only locks follow; frames belong to an exception in a log
        }
        Matcher state = STATE.matcher(text);
        if (state.matches()) {
            state(draft, state.group(1));
        } else if (trimmed.startsWith("at ")
                || (!draft.needsState && trimmed.endsWith(")") && text.startsWith("    "))) {
            cache.frame(trimmed.startsWith("at ") ? trimmed.substring(3) : trimmed)
                    .ifPresentOrElse(draft.stack::add, () -> problem("not a frame: " + excerpt(text)));
        } else if (trimmed.startsWith(CARRIES)) {
            draft.carries(numberAtEnd(trimmed));
        } else if (trimmed.startsWith(MOUNTED)) {
            draft.mounts();
        } else if (trimmed.startsWith(INITIALISATION)) {
            draft.waitsForInitialisation(trimmed.substring(INITIALISATION.length()));
        } else if (trimmed.startsWith("- ")) {
            readLock(draft, text);
        }
    }

    private static long numberAtEnd(String text) {
        String digits = text.substring(CARRIES.length());
        return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : 0;
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
            case "waiting on" -> draft.waitsOn(identity);
            case "waiting to lock", "waiting to re-lock in wait()", "parking to wait for" ->
                draft.waitsFor(new Lock(identity, type(identity, lock.group(3))));
            default -> {
                // "eliminated" is a lock that the compiler has removed
            }
        }
    }

    /** Reads who holds a lock. The list of deadlocks says it even where the threads' own lines do not. */
    private void readDeadlock(String text) {
        Matcher waiting = text.startsWith("  waiting") ? WANTED.matcher(text) : null;
        Matcher held = HELD_BY.matcher(text);
        if (waiting != null && waiting.matches()) {
            wantedLock = waiting.group(1);
        } else if (held.matches() && !wantedLock.isEmpty()) {
            holders.put(wantedLock, held.group(1));
            wantedLock = "";
        }
    }

    private void state(ThreadDraft draft, String name) {
        try {
            draft.state(Thread.State.valueOf(name));
        } catch (IllegalArgumentException e) {
            problem("not a state: " + excerpt(name));
        }
    }

    private static String type(String identity, @Nullable String type) {
        int at = identity.indexOf('@');
        return type != null ? type : at < 0 ? "" : identity.substring(0, at);
    }

    private void begin(boolean isOfFile) {
        end();
        firstLine = line;
        isFile = isOfFile;
        isComplete = isOfFile;
    }

    private void end() {
        endThread();
        if (firstLine > 0) {
            dumps.add(new ThreadDump(source + ":" + firstLine, threads, holders));
        }
        threads = new ArrayList<>();
        holders = new HashMap<>();
        listsDeadlocks = false;
        firstLine = 0;
    }

    private void endThread() {
        if (thread != null) {
            thread.build(cache).ifPresent(threads::add);
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
