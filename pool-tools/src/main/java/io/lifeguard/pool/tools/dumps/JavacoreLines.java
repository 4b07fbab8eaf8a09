package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the lines of the javacore of an OpenJ9 JVM, each of which begins with a tag. Stateless. */
final class JavacoreLines {

    static final Pattern TAG = Pattern.compile("^[0-9][A-Z]{2}[A-Z0-9]{3,20}\\b");

    private static final Pattern THREAD = Pattern.compile(
            "^3XMTHREADINFO +\"(.*)\" J9VMThread:(0x[0-9A-Fa-f]+).*?(?:state:([A-Z]+).*)?$", Pattern.DOTALL);

    private static final Pattern NATIVE = Pattern.compile("native thread ID:(0x[0-9A-Fa-f]{1,15})");

    // Blocked on: com/example/Orders@0x00000000E00A2C48 Owned by: "orders-2" (J9VMThread:0x0000000000ABD200, …)
    private static final Pattern WAIT = Pattern.compile(
            "^3XMTHREADBLOCK +(Blocked|Waiting|Parked) on: (\\S+?)@(0x[0-9A-Fa-f]+)(.*)$", Pattern.DOTALL);

    private static final Pattern OWNER = Pattern.compile("J9VMThread:(0x[0-9A-Fa-f]+)");
    private static final Pattern FRAME = Pattern.compile("^4XESTACKTRACE +at ([^(]+)\\(([^()]*).*$");
    private static final Pattern HELD = Pattern.compile("^5XESTACKTRACE +\\(entered lock: (\\S+?)@(0x[0-9A-Fa-f]+)");

    /** What a thread waits on while another initialises a class. The line names that thread since 2018. */
    private static final String INITIALISATION = "/J9VMInternals$ClassInitializationLock";

    private JavacoreLines() {}

    /** Returns the thread that begins in a line; empty where none does. */
    static Optional<ThreadDraft> thread(String line) {
        Matcher header = THREAD.matcher(line);
        if (!header.matches()) {
            return Optional.empty();
        }
        ThreadDraft draft = new ThreadDraft(header.group(1), false);
        draft.id = Optional.of(header.group(2).toLowerCase(Locale.ROOT));
        String state = header.group(3) == null ? "" : header.group(3);
        switch (state) {
            case "B" -> draft.state(Thread.State.BLOCKED);
            case "CW", "P" -> draft.state(Thread.State.WAITING);
            case "Z" -> draft.state(Thread.State.TERMINATED);
            default -> draft.state(Thread.State.RUNNABLE);
        }
        return Optional.of(draft);
    }

    /** Reads a line of a thread. */
    static void read(ThreadDraft draft, String line, StackCache cache) {
        Matcher frame = FRAME.matcher(line);
        Matcher held = HELD.matcher(line);
        Matcher wait = WAIT.matcher(line);
        if (frame.matches()) {
            cache.frame(frame.group(1).replace('/', '.') + "(" + frame.group(2) + ")")
                    .ifPresent(draft.stack::add);
        } else if (held.find()) {
            draft.holds(held.group(2));
        } else if (wait.matches()) {
            Lock lock = new Lock(wait.group(3), wait.group(2).replace('/', '.'));
            if (wait.group(2).endsWith(INITIALISATION)) {
                draft.waitsForInitialisation(new Lock(wait.group(3), "the initialisation of a class"));
            } else if (wait.group(1).equals("Waiting")) {
                draft.waitsOn(lock);
                return;
            } else {
                draft.waitsFor(lock);
            }
            Matcher owner = OWNER.matcher(wait.group(4));
            draft.heldBy = owner.find() ? Optional.of(owner.group(1).toLowerCase(Locale.ROOT)) : draft.heldBy;
        } else if (line.startsWith("3XMTHREADINFO3") && line.contains("No Java callstack")) {
            draft.state(Thread.State.RUNNABLE); // a thread of the JVM, which waits for nothing of Java's
        } else if (line.startsWith("3XMTHREADINFO1")) {
            Matcher id = NATIVE.matcher(line);
            if (id.find()) {
                draft.nativeId(Long.decode(id.group(1)));
            }
        }
    }
}
