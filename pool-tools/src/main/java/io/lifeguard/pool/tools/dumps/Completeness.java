package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.text.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts what is missing from one dump, so that what could not be read is never mistaken for "no deadlock". Not
 * thread-safe.
 */
final class Completeness {

    private static final Pattern COUNT = Pattern.compile("^Found (?:a total of )?(\\d{1,6}) deadlocks?\\.");

    /** In every dump of all threads there is one of these. No program may end them. */
    private static final Set<String> OF_EVERY_JVM = Set.of(
            "Reference Handler",
            "Finalizer",
            "Finalizer thread",
            "Signal Dispatcher",
            "Common-Cleaner",
            "FinalizerDaemon",
            "Signal Catcher");

    /** Locks that several threads may hold at once, so that nothing says who holds them. */
    private static final Pattern UNLISTED =
            Pattern.compile("ReentrantReadWriteLock|StampedLock|^the initialisation of");

    private int headers;
    private int lostThreads;
    private int blockedByUnknown;
    private int unknown; // may want a monitor, or a lock whose holder the dump does not say
    private int missingHolders; // threads that wait for a thread that is not in the dump
    private int undecided; // initialise a class, and wait for another that is not named
    private int listedByJvm; // its headings of deadlocks
    private int countedByJvm; // the number in its last line
    private boolean jvmHasLooked;
    private boolean mustHaveAll;
    private boolean hasThreadOfEveryJvm;
    private boolean lostBegin;

    /** The JVM prints its deadlocks after this line. Where none follows, it has found none. */
    void jvmHasLooked() {
        jvmHasLooked = true;
    }

    /** Reads a line that begins with "Found" and names deadlocks. */
    void jvmFound(String line) {
        Matcher count = COUNT.matcher(line);
        if (count.find()) {
            countedByJvm = Integer.parseInt(count.group(1));
            jvmHasLooked = true;
        } else if (line.contains("Java-level deadlock")) {
            listedByJvm++;
        }
    }

    /** Nothing in the text says where the dump ends, so that only its threads can show that it is a whole one. */
    void mustHaveAll() {
        mustHaveAll = true;
    }

    /** The text begins within a thread. */
    void lostBegin() {
        lostBegin = true;
    }

    /** So many threads initialise a class, and wait for another, and the dump does not say which. */
    void undecided(int threads) {
        undecided = threads;
    }

    /** A thread wants a lock, and the thread that holds it is not in the dump. */
    void holderIsMissing() {
        missingHolders++;
    }

    void lostThread() {
        headers++;
        lostThreads++;
    }

    void add(ThreadDraft draft, Optional<DumpedThread> built) {
        headers++;
        hasThreadOfEveryJvm |= OF_EVERY_JVM.contains(draft.name);
        if (draft.hasLostItsStack()) {
            lostThreads++;
        }
        if (built.isPresent() && draft.isBlockedByUnknown()) {
            blockedByUnknown++;
        }
        if (built.isPresent() && (draft.mayWantMonitor() || wantsUnknownLock(built.get()))) {
            unknown++;
        }
    }

    /** Android does not say for which lock of {@code java.util.concurrent} a thread waits. */
    private static boolean wantsUnknownLock(DumpedThread thread) {
        return thread.state() == Thread.State.WAITING
                && thread.doing() == Doing.WAITING_FOR_LOCK
                && thread.waitsFor().isEmpty();
    }

    /** Returns why it cannot be said that there are no other deadlocks than those that were found. */
    List<String> doubts(ThreadDump dump) {
        List<String> doubts = new ArrayList<>();
        if (dump.threads().isEmpty()) {
            doubts.add(headers == 0 ? "a dump without threads" : Counted.of(headers, "thread") + " without a stack");
        } else if (lostThreads > 0) {
            doubts.add("the stacks of " + lostThreads + " of " + Counted.of(headers, "thread") + " are missing");
        }
        DumpPicture picture = dump.picture();
        int found = picture.circles().size();
        List<DumpedThread> wanting = dump.threads().stream()
                .filter(thread -> thread.wantsLock() && thread.state() != Thread.State.TIMED_WAITING)
                .toList();
        List<DumpedThread> unheld = wanting.stream()
                .filter(thread -> thread.waitsFor()
                        .filter(lock -> picture.holder(lock).isEmpty())
                        .isPresent())
                .toList();
        int jvms = Math.max(listedByJvm, countedByJvm);
        if (jvms > found) {
            doubts.add("the JVM names " + Counted.of(jvms, "deadlock") + ", of which "
                    + (found == 0 ? "none" : String.valueOf(found)) + " could be read");
        } else if (blockedByUnknown > 0 && !jvmHasLooked) {
            doubts.add("for which lock " + Counted.of(blockedByUnknown, "blocked thread waits", "blocked threads wait")
                    + " is not in the dump");
        } else if (!jvmHasLooked && unknown + unheld.size() > 0 && unknown + wanting.size() > 1) {
            doubts.add("this form of dump does not say which locks " + Counted.of(unknown + unheld.size(), "thread")
                    + " may want or hold");
        }
        long unlisted = unheld.stream().filter(Completeness::wantsUnlisted).count();
        if (unlisted > 0 && found == 0) {
            doubts.add("for " + Counted.of(unlisted, "thread") + " a dump does not say who holds the lock:"
                    + " a read lock, a StampedLock, or the initialisation of a class");
        }
        long elsewhere = wanting.stream()
                .filter(thread -> thread.waitsFor()
                        .flatMap(picture::holder)
                        .filter(Completeness::calls)
                        .isPresent())
                .count();
        if (elsewhere > 0 && found == 0) {
            doubts.add("what holds up " + Counted.of(elsewhere, "thread")
                    + " is a call to another process, which may wait for this one");
        }
        if (lostBegin && !jvmHasLooked && found == 0) {
            doubts.add("a dump begins with the rest of a thread");
        }
        if (mustHaveAll && !jvmHasLooked && found == 0 && headers > 0 && !hasThreadOfEveryJvm) {
            doubts.add(
                    "it seems to be an excerpt: the threads that every JVM has, such as \"Reference Handler\", are not"
                            + " in it");
        }
        long missing = Math.max(
                missingHolders,
                unheld.stream()
                        .filter(thread -> mustHaveAll && thread.state() == Thread.State.BLOCKED)
                        .count());
        if (missing > 0 && !jvmHasLooked) {
            doubts.add("what holds up " + Counted.of(missing, "thread")
                    + " is a thread that has ended, or is not in the dump");
        }
        if (undecided > 0) { // the JVM does not look for these
            doubts.add("for which classes " + Counted.of(undecided, "thread waits", "threads wait")
                    + " while they initialise others is not in the dump");
        }
        return doubts;
    }

    /** A Binder of Android runs the call in the other process, and that may call back. */
    private static boolean calls(DumpedThread holder) {
        return holder.stack().stream().anyMatch(frame -> frame.getClassName().equals("android.os.BinderProxy"));
    }

    private static boolean wantsUnlisted(DumpedThread thread) {
        return thread.waitsFor()
                .filter(lock -> UNLISTED.matcher(lock.type()).find())
                .isPresent();
    }
}
