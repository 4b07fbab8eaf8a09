package io.lifeguard.pool.tools.dumps;

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

    private static final Pattern COUNT = Pattern.compile("^Found (\\d{1,6}) deadlocks?\\.");

    /** In every dump of all threads there is one of these. No program may end them. */
    private static final Set<String> OF_EVERY_JVM =
            Set.of("Reference Handler", "Finalizer", "Finalizer thread", "Signal Dispatcher", "Common-Cleaner");

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

    /** The JVM prints its deadlocks after this line. Where none follows, it has found none. */
    void jvmHasLooked() {
        jvmHasLooked = true;
    }

    /** Reads a line that begins with "Found" and names deadlocks. */
    void jvmFound(String line) {
        Matcher count = COUNT.matcher(line);
        if (count.find()) {
            countedByJvm = Integer.parseInt(count.group(1));
        } else if (line.contains("Java-level deadlock")) {
            listedByJvm++;
        }
    }

    /** Nothing in the text says where the dump ends, so that only its threads can show that it is a whole one. */
    void mustHaveAll() {
        mustHaveAll = true;
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
        if (draft.hasLostItsStack()) {
            lostThreads++;
        }
        if (built.isPresent() && draft.isBlockedByUnknown()) {
            blockedByUnknown++;
        }
        if (built.isPresent() && draft.mayWantMonitor()) {
            unknown++;
        }
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
        int jvms = Math.max(listedByJvm, countedByJvm);
        if (jvms > found) {
            doubts.add("the JVM names " + Counted.of(jvms, "deadlock") + ", of which "
                    + (found == 0 ? "none" : String.valueOf(found)) + " could be read");
        } else if (blockedByUnknown > 0 && !jvmHasLooked) {
            doubts.add("for which lock " + Counted.of(blockedByUnknown, "blocked thread waits", "blocked threads wait")
                    + " is not in the dump");
        } else if (!jvmHasLooked && unknown + waitingForUnheld(dump, picture) > 1) {
            doubts.add("this form of dump does not say which locks "
                    + Counted.of(unknown + waitingForUnheld(dump, picture), "thread") + " may want or hold");
        }
        if (mustHaveAll && !jvmHasLooked && found == 0 && headers > 0 && isExcerpt(dump)) {
            doubts.add(
                    "it seems to be an excerpt: the threads that every JVM has, such as \"Reference Handler\", are not"
                            + " in it");
        }
        if (missingHolders > 0 && !jvmHasLooked) {
            doubts.add("what holds up " + Counted.of(missingHolders, "thread")
                    + " is a thread that has ended, or is not in the dump");
        }
        if (undecided > 0) { // the JVM does not look for these
            doubts.add("for which classes " + Counted.of(undecided, "thread waits", "threads wait")
                    + " while they initialise others is not in the dump");
        }
        return doubts;
    }

    private static boolean isExcerpt(ThreadDump dump) {
        return dump.threads().stream().noneMatch(thread -> OF_EVERY_JVM.contains(thread.name()));
    }

    private static int waitingForUnheld(ThreadDump dump, DumpPicture picture) {
        return (int) dump.threads().stream()
                .filter(DumpedThread::wantsLock)
                .filter(thread -> thread.waitsFor()
                        .filter(lock -> picture.holder(lock).isEmpty())
                        .isPresent())
                .count();
    }
}
