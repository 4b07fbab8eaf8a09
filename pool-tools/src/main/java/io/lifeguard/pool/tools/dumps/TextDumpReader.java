package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads dumps in text form, line by line, without what the {@link Cleaner} has taken away. Ignores other text between
 * dumps. Not thread-safe.
 *
 * <p>Knows the output of {@code jstack}, {@code jcmd Thread.print}, {@code kill -3}, {@code jhsdb jstack}, and the
 * plain form of {@code jcmd Thread.dump_to_file}; and what VisualVM, debuggers, {@code ThreadInfo.toString}, Spring
 * Boot's actuator and others make of the same data. Passes the lines of a javacore to {@link JavacoreLines}.
 */
final class TextDumpReader {

    // #31 "orders-1" virtual WAITING 2026-11-22T10:00:00Z
    // DOTALL, because a name may contain characters that a pattern takes for the end of a line
    private static final Pattern FILE_HEADER = Pattern.compile(
            "^#\\d+ \"(.*)\"( virtual)?(?: (?:unmounted|mounted))?(?: ([A-Z_]+))?(?: \\d{4}-\\S+)?$", Pattern.DOTALL);

    // - waiting to lock <0x000000076ab2c1f0> (a com.example.Orders) owned by "orders-7" t@23
    private static final Pattern LOCK = Pattern.compile(
            "^-\\s{1,9}([a-z][a-zA-Z() -]{0,40}?)\\s{0,9}(?:<([^>]+)>|([\\w.$/\\[;]+@[0-9a-f]+))(?:,? ?\\(an? ([^)]+)\\))?(.*)$",
            Pattern.DOTALL);

    /** What follows a lock whose holder is known: the holder's name, and its id. */
    private static final Pattern OWNED = Pattern.compile(
            "\\b(?:held by (?:thread |thread ?id=|tid=)(\\d{1,18})\\b"
                    + "|(?:owned|held) by \"?(.{1,500}?)\"?(?:,? (?:t@|Id=|id=|tid=|thread )(\\d{1,18})|$))",
            Pattern.DOTALL);

    // waiting for orders-7@1235 to release lock on <0x4d3> (a com.example.Orders)
    private static final Pattern DEBUGGER =
            Pattern.compile("^waiting for (.+) to release lock on <([^>]+)>(?: ?\\(an? (.+)\\))?.*$", Pattern.DOTALL);

    // in the list of owned synchronizers:
    // - <0x000000076ab2c1f0> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
    private static final Pattern SYNCHRONIZER =
            Pattern.compile("^-\\s+(?:<([^>]+)>,? \\(an? .+\\)|(?:locked )?([\\w.$]+@[0-9a-f]+))$");

    // - com.example.Orders.load(int) @bci=13, line=17 (Interpreted frame)
    private static final Pattern SERVICEABILITY_FRAME =
            Pattern.compile("^- ([\\w.$<>/+]+)\\([^()]*\\) @bci=-?\\d+(?:,? line=(\\d+))?.*$");

    /** A frame whose "at" was lost, or of a form that has none. */
    private static final Pattern BARE_FRAME = Pattern.compile(
            "^[\\w$@/+-]{1,300}\\.[^ ()=,:\"]{1,700}\\((?:[^()]{0,200}(?::\\d{1,7}|(?i:Native Method))|Unknown Source)\\)$");

    private static final Pattern SERVICEABILITY_HEADER =
            Pattern.compile("^Thread (?:t@)?(\\d{1,18}): \\(state = ([A-Z_]+)\\).*$");

    // Two lines of the JVM's own list of deadlocks
    private static final Pattern WANTED =
            Pattern.compile("^waiting (?:to lock|for) .*?\\b(?:Object@)?(0x[0-9a-f]+),? \\(?an? ([^()]*)\\).*$");
    private static final Pattern HELD_BY =
            Pattern.compile("^(?:in JNI, )?which is held by \"(.*)\".*$", Pattern.DOTALL);

    private static final Pattern EXCEPTION = Pattern.compile(
            "^(?:Caused by: |Suppressed: |Exception in thread |[\\w.$]*(?:Exception|Error|Throwable)(?::|$)).*");

    /** {@code (21.0.8+9-LTS mixed mode)}; that of JDK 8 begins with 25, and has no plus. */
    private static final Pattern SINCE_21 = Pattern.compile("\\((?:2[1-9]|[3-9][0-9])[^ )]{0,60}\\+");

    private static final String NO_VIRTUAL =
            "virtual threads are not in a dump of this form; jcmd PID Thread.dump_to_file FILE writes them";

    private static final String CARRIES = "Carrying virtual thread #";
    private static final String MOUNTED = "Mounted virtual thread #"; // since JDK 24
    private static final String INITIALISATION = "- waiting on the Class initialization monitor for ";

    private final String source;
    private final ReadProblems problems;
    private final StackCache cache;
    private final List<ThreadDump> dumps; // receives each dump that was read

    private Stamp stamp = new Stamp(); // what was said since the current dump began: of the next one
    private int line;
    private int beganAt; // the line that said that a dump begins, before its first thread; 0 where there is none
    private @Nullable DumpDraft dump;
    private boolean isFile; // the current dump is one of jcmd Thread.dump_to_file
    private boolean isComplete; // the current dump may end here
    private boolean mustHaveAll; // nothing says where the current dump ends
    private boolean isExcerpt; // nothing said that the current dump begins
    private boolean isFirst = true; // no line was read that is not empty
    private boolean lostBegin; // there were lines of a thread before the first header
    private boolean isHadoop; // the current dump has the form of Hadoop's page
    private @Nullable ThreadDraft labelled; // the latest thread in a form whose lines have labels
    private String before = ""; // the line before the current one, as far as it may be such a label
    private Section section = Section.THREADS;
    private @Nullable ThreadDraft thread;
    private boolean stackEnded; // frames that follow belong to something else
    private boolean listsSynchronizers; // what follows are locks that the thread holds
    private String listedThread = ""; // in the JVM's list of deadlocks
    private @Nullable Lock listedLock;

    TextDumpReader(String source, ReadProblems problems, StackCache cache, List<ThreadDump> dumps) {
        this.source = source;
        this.problems = problems;
        this.cache = cache;
        this.dumps = dumps;
    }

    private enum Section {
        THREADS,
        /** The JVM's own list of deadlocks. */
        DEADLOCKS,
        /** The stacks of the threads in this list, which the JVM repeats. */
        LISTED_STACKS
    }

    /** Ends the current dump, if there is one. Reports a dump that ends too early, with the reason. */
    void end(String why) {
        if (beganAt > 0) {
            begin(false);
        }
        end(Optional.of(why));
    }

    /** Reads the next line of the source. It begins with its first word. */
    void read(int number, String text) {
        line = number;
        stamp.read(text);
        if (text.startsWith(DumpLines.BEGIN)
                || text.startsWith(DumpLines.BEGIN_ANDROID)
                || text.startsWith(LabelledLines.BEGIN)) {
            beginsDump();
            isHadoop = text.startsWith(LabelledLines.BEGIN);
            if (SINCE_21.matcher(text).find()) {
                problems.note(NO_VIRTUAL);
            }
        } else if (text.startsWith(DumpLines.END)) { // the last line before the list of deadlocks
            current(true).completeness.jvmHasLooked();
            section = Section.DEADLOCKS;
        } else if (text.startsWith("Found ") && text.contains("deadlock")) {
            current(true).completeness.jvmFound(text);
            section = Section.DEADLOCKS;
        } else if (text.startsWith("No deadlocks found")) {
            current(true).completeness.jvmHasLooked();
        } else if (text.startsWith("Java stack information for the thread")) {
            section = Section.LISTED_STACKS;
        } else if (!text.isEmpty()
                && Character.isDigit(text.charAt(0))
                && JavacoreLines.TAG.matcher(text).find()) {
            readJavacore(text);
        } else if (text.startsWith("\"")) {
            readHeader(text);
        } else if (text.startsWith("#")) {
            readFileHeader(text);
        } else if (text.startsWith("Thread ") && text.contains("(state = ")) {
            readServiceabilityHeader(text);
        } else if (text.startsWith("----- end ") && dump != null) { // of one of several processes of Android
            end(Optional.empty());
        } else if (section == Section.DEADLOCKS) {
            readDeadlock(text);
        } else if (text.isEmpty()) {
            stackEnded = true;
        } else if (!readLabelled(text) && thread != null) {
            readBody(thread, text);
        } else if (dump == null && beganAt == 0) { // an exception has frames, but never at first, and no locks
            lostBegin |= text.startsWith("- ") ? LOCK.matcher(text).matches() : isFirst && text.startsWith("at ");
        }
        isFirst &= text.isEmpty();
    }

    private boolean readLabelled(String text) {
        LabelledLines.thread(before, text, isHadoop).ifPresent(next -> labelled = begin(next, false));
        before = text;
        return thread != null && thread.equals(labelled) && LabelledLines.read(thread, text);
    }

    private void beginsDump() {
        if (beganAt > 0) {
            begin(false);
        }
        end(Optional.of("another dump begins"));
        beganAt = line; // a dump whose threads have another prefix begins here, too
    }

    /** Returns the current dump. Ends the current thread. */
    private DumpDraft current(boolean isCompleteThen) {
        endThread();
        DumpDraft draft = dump;
        if (draft == null) {
            draft = begin(false);
        }
        isComplete |= isCompleteThen;
        return draft;
    }

    private void readHeader(String text) {
        if (section == Section.DEADLOCKS && DumpLines.isListed(text, 0)) {
            listedThread = text.substring(1, text.stripTrailing().length() - 2);
            return;
        }
        if (section == Section.LISTED_STACKS && DumpLines.isListed(text, 0)) {
            endThread();
            thread = new ThreadDraft(text.substring(1, text.stripTrailing().length() - 2), false);
            stackEnded = false;
            return;
        }
        Optional<Header> header = Header.of(text);
        if (header.isEmpty()) {
            if ((dump != null || beganAt > 0) && section == Section.THREADS) {
                endThread();
                problem("not the header of a thread: " + excerpt(text));
                if (DumpLines.isHeader(text)) {
                    current(false).completeness.lostThread();
                }
            }
            return;
        }
        section = Section.THREADS;
        ThreadDraft draft = begin(header.get().thread(), header.get().isOfJvm());
        if (!header.get().state().isEmpty()) {
            state(draft, header.get().state());
        }
        if (!header.get().waitsFor().isEmpty()) {
            readLock(draft, header.get().waitsFor());
        }
    }

    private ThreadDraft begin(ThreadDraft draft, boolean isOfJvm) {
        endThread();
        if (dump == null && beganAt == 0 && isOfJvm) {
            problem("a thread without the beginning of a dump (\"Full thread dump\"); it is used");
        }
        DumpDraft current = dump == null || isFile ? begin(false) : dump;
        isComplete |= !isOfJvm; // only the JVM itself says where a dump ends
        mustHaveAll |= !isOfJvm;
        current.add(draft);
        thread = draft;
        stackEnded = false;
        listsSynchronizers = false;
        return draft;
    }

    private void readServiceabilityHeader(String text) {
        Matcher header = SERVICEABILITY_HEADER.matcher(text);
        if (!header.matches()) {
            return;
        }
        ThreadDraft draft = begin(new ThreadDraft("Thread " + header.group(1), false), false);
        section = Section.THREADS;
        draft.nativeId(Long.parseLong(header.group(1)));
        if (!header.group(2).equals("BLOCKED")) { // the JVM's own word for a thread that waits for anything
            draft.state(Thread.State.RUNNABLE);
        }
    }

    /** The sections of a javacore follow each other, and that of the threads is not the last. */
    private void readJavacore(String text) {
        if (text.startsWith("3XMTHREADINFO ")) {
            Optional<ThreadDraft> next = JavacoreLines.thread(text);
            if (next.isPresent()) {
                begin(next.get(), true);
                mustHaveAll = true;
            } else {
                endThread(); // a thread that runs no Java
            }
        } else if (text.startsWith("1LKDEADLOCK")) {
            current(false).completeness.jvmFound("Found one Java-level deadlock:");
        } else if (text.startsWith("0SECTION")) {
            if (text.contains("TITLE")) {
                beginsDump();
            } else if (text.contains(" LOCKS ")) { // the section in which a javacore lists deadlocks
                current(false).completeness.jvmHasLooked();
            } else if (dump != null && !dump.threads().isEmpty()) {
                current(true);
            }
        } else if (thread != null) {
            JavacoreLines.read(thread, text, cache);
        }
    }

    private void readFileHeader(String text) {
        Matcher header = FILE_HEADER.matcher(text);
        if (!header.matches()) {
            return; // a comment in other text
        }
        endThread();
        DumpDraft current = dump;
        if (current == null || !isFile || (text.startsWith("#1 ") && !current.isEmpty())) {
            current = begin(true);
        }
        ThreadDraft draft = new ThreadDraft(header.group(1), false);
        current.add(draft);
        section = Section.THREADS;
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
        if (text.startsWith("Locked ") || text.startsWith("Number of locked synchronizers")) {
            listsSynchronizers = true;
            return;
        }
        if (listsSynchronizers && readSynchronizer(draft, text)) {
            return;
        }
        Matcher serviceability = text.startsWith("- ") ? SERVICEABILITY_FRAME.matcher(text) : null;
        if (serviceability != null && serviceability.matches()) {
            String at = serviceability.group(2) == null ? "Unknown Source" : "Unknown.java:" + serviceability.group(2);
            String frame = serviceability.group(1) + "(" + at + ")";
            cache.frame(frame).ifPresent(draft.stack::add);
            return;
        }
        stackEnded &= !text.startsWith("Stack trace:");
        if (stackEnded && !text.startsWith("- ") && !text.startsWith(DumpLines.STATE)) {
            return; // after the empty line only locks follow; frames belong to an exception in a log
        }
        if (text.startsWith(DumpLines.STATE)) {
            String[] words = text.substring(DumpLines.STATE.length()).strip().split("[ (\"<,;]", 2);
            state(draft, words[0]);
            readOwner(draft, text);
        } else if (text.startsWith("at ")
                || (text.endsWith(")")
                        && (isFile
                                || (text.charAt(0) != '-'
                                        && BARE_FRAME.matcher(text).matches())))) {
            String frame = text.startsWith("at ") ? text.substring(3) : text;
            int end = frame.indexOf(')', Math.max(0, frame.indexOf('(')));
            cache.frame(end < 0 ? frame : frame.substring(0, end + 1))
                    .ifPresentOrElse(draft.stack::add, () -> problem("not a frame: " + excerpt(text)));
        } else if (text.startsWith(CARRIES)) {
            draft.carries(numberAtEnd(text));
        } else if (text.startsWith(MOUNTED)) {
            draft.mounts();
        } else if (text.startsWith(INITIALISATION)) {
            draft.waitsForInitialisation(text.substring(INITIALISATION.length()).strip());
        } else if (text.startsWith("- ")) {
            readLock(draft, text);
        } else if (text.startsWith("waiting for ")) {
            readDebugger(draft, text);
        } else if (text.startsWith("owned by ")) {
            readOwner(draft, text);
        } else if (EXCEPTION.matcher(text).matches()) {
            stackEnded = true;
        }
    }

    private static long numberAtEnd(String text) {
        String digits = text.substring(CARRIES.length()).strip();
        return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : 0;
    }

    private boolean readSynchronizer(ThreadDraft draft, String text) {
        Matcher synchronizer = SYNCHRONIZER.matcher(text);
        if (!synchronizer.matches()) {
            return false;
        }
        draft.holds(synchronizer.group(1) != null ? synchronizer.group(1) : synchronizer.group(2));
        return true;
    }

    private void readLock(ThreadDraft draft, String text) {
        if (readSynchronizer(draft, text)) {
            return;
        }
        Matcher lock = LOCK.matcher(text);
        if (!lock.matches()) {
            boolean isHarmless = text.contains("- None")
                    || text.contains("eliminated")
                    || text.contains("<no object")
                    || !text.matches("(?s)- (?:locked|waiting|parking|blocked).*");
            if (!isHarmless) {
                problem("not a lock: " + excerpt(text));
                problems.doubt("a line about a lock could not be read");
            }
            return;
        }
        String identity = lock.group(2) != null ? lock.group(2) : lock.group(3);
        if (identity.startsWith("no ") || identity.startsWith("owner is scalar")) {
            return;
        }
        Lock object = new Lock(identity, type(identity, lock.group(4)));
        switch (lock.group(1).strip()) {
            case "locked" -> draft.holds(identity);
            case "waiting on" -> draft.waitsOn(object);
            case "waiting to lock", "waiting to re-lock in wait()", "parking to wait for", "blocked on" -> {
                draft.waitsFor(object);
                readOwner(draft, lock.group(5));
            }
            default -> {
                // "eliminated" is a lock that the compiler has removed
            }
        }
    }

    /** Reads who holds what a thread waits for: {@code owned by "orders-7" t@23}. */
    private static void readOwner(ThreadDraft draft, String text) {
        Matcher owner = OWNED.matcher(text);
        if (text.contains(" by ") && owner.find()) {
            String id = owner.group(1) != null ? owner.group(1) : owner.group(3);
            draft.heldBy = Optional.of(id != null ? id : owner.group(2));
        }
    }

    private static void readDebugger(ThreadDraft draft, String text) {
        Matcher waits = DEBUGGER.matcher(text);
        if (waits.matches()) {
            draft.waitsFor(new Lock(waits.group(2), type(waits.group(2), waits.group(3))));
            draft.heldBy = Optional.of(waits.group(1));
        }
    }

    /** Reads who waits for what, and who holds it. The list of deadlocks says it even where the threads do not. */
    private void readDeadlock(String text) {
        DumpDraft draft = dump;
        Matcher waiting = text.startsWith("waiting") ? WANTED.matcher(text) : null;
        if (waiting != null && waiting.matches()) {
            listedLock = new Lock(waiting.group(1), waiting.group(2).replace('/', '.'));
        } else if (text.contains("which is held by ")) {
            Matcher held = HELD_BY.matcher(text);
            if (held.matches() && listedLock != null && draft != null && !listedThread.isEmpty()) {
                draft.list(listedThread, listedLock, held.group(1));
                listedLock = null;
            }
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
        return (type != null ? type : at < 0 ? "" : identity.substring(0, at)).replace('/', '.');
    }

    private DumpDraft begin(boolean isOfFile) {
        end(Optional.empty());
        isExcerpt = beganAt == 0;
        DumpDraft draft = new DumpDraft(source, beganAt > 0 ? beganAt : line);
        beganAt = 0;
        if (lostBegin && isExcerpt) {
            draft.completeness.lostBegin();
        }
        lostBegin = false;
        draft.stamp = stamp;
        stamp = new Stamp();
        dump = draft;
        isFile = isOfFile;
        isComplete = isOfFile;
        mustHaveAll = isOfFile;
        return draft;
    }

    private void end(Optional<String> why) {
        endThread();
        DumpDraft draft = dump;
        if (draft != null) {
            ThreadDump read = draft.build(cache);
            boolean isCut = !isComplete && why.isPresent();
            if (isCut
                    && !(isExcerpt
                            && !read.picture().circles().isEmpty())) { // an excerpt may show nothing but a deadlock
                problems.addCut(line, why.orElse("") + " before the dump of line " + draft.firstLine + " has ended");
            }
            dumps.add(read);
            if (mustHaveAll) {
                draft.completeness.mustHaveAll();
            }
            draft.completeness.doubts(read).forEach(problems::doubt);
        }
        dump = null;
        section = Section.THREADS;
        listedThread = "";
        listedLock = null;
    }

    private void endThread() {
        ThreadDraft ended = thread;
        thread = null;
        if (ended != null && section == Section.LISTED_STACKS && dump != null) {
            dump.addListed(ended);
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
