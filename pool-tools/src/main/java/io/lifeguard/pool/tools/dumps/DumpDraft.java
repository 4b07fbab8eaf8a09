package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Collects what is read of one dump, whatever its form. Not thread-safe. */
final class DumpDraft {

    final int firstLine;
    final Completeness completeness = new Completeness();
    Stamp stamp = new Stamp(); // replaced by what was said before the dump began

    private final String source;
    private final List<ThreadDraft> threads = new ArrayList<>();
    private final List<Listed> listed = new ArrayList<>(); // the JVM's own list of deadlocks
    private final Map<String, ThreadDraft> listedStacks = new HashMap<>(); // by name

    DumpDraft(String source, int firstLine) {
        this.source = source;
        this.firstLine = firstLine;
    }

    void add(ThreadDraft thread) {
        threads.add(thread);
    }

    /** Adds a thread whose stack the JVM repeats below its list of deadlocks. */
    void addListed(ThreadDraft thread) {
        listedStacks.putIfAbsent(thread.name, thread);
    }

    /** Adds an entry of the JVM's own list of deadlocks. */
    void list(String waiter, Lock lock, String holder) {
        listed.add(new Listed(waiter, lock, holder));
    }

    boolean isEmpty() {
        return threads.isEmpty() && listed.isEmpty();
    }

    List<ThreadDraft> threads() {
        return threads;
    }

    ThreadDump build(StackCache cache) {
        Map<String, ThreadDraft> byName = byName();
        listed.forEach(entry -> useWaiter(entry, byName));
        Map<String, ThreadDraft> byId = new HashMap<>();
        threads.forEach(thread -> thread.id.ifPresent(id -> byId.put(id, thread)));
        Map<String, ThreadDraft> holders = new HashMap<>();
        threads.forEach(thread -> thread.holds().forEach(lock -> holders.put(lock, thread)));
        for (ThreadDraft thread : threads) {
            Lock lock = thread.wanted();
            ThreadDraft holder = thread.heldBy
                    .map(id -> byId.getOrDefault(id, byName.get(id)))
                    .orElse(null);
            if (lock != null && holder == null && thread.heldBy.isPresent()) {
                completeness.holderIsMissing();
            }
            if (lock != null && holder != null && holders.putIfAbsent(lock.identity(), holder) == null) {
                holder.holds(lock.identity());
            }
        }
        for (Listed entry : listed) {
            ThreadDraft holder = byName.get(entry.holder);
            if (holder != null && holders.putIfAbsent(entry.lock.identity(), holder) == null) {
                holder.holds(entry.lock.identity());
            }
        }
        completeness.undecided(Unlisted.findHolders(threads, holders, cache));
        List<DumpedThread> built = new ArrayList<>();
        for (ThreadDraft draft : threads) {
            Optional<DumpedThread> thread = draft.build(cache);
            thread.ifPresent(built::add);
            completeness.add(draft, thread);
        }
        return new ThreadDump(source + ":" + firstLine, built, Map.of(), stamp.process(threads), stamp.time());
    }

    /** Returns the threads by their names, without those that share one. */
    private Map<String, ThreadDraft> byName() {
        Map<String, ThreadDraft> byName = new HashMap<>();
        Map<String, Integer> count = new HashMap<>();
        for (ThreadDraft thread : threads) {
            byName.put(thread.name, thread);
            count.merge(thread.name, 1, Integer::sum);
        }
        for (Listed entry : listed) {
            for (String name : List.of(entry.waiter, entry.holder)) {
                if (!byName.containsKey(name)) {
                    ThreadDraft draft = listedStacks.getOrDefault(name, new ThreadDraft(name, false));
                    draft.isListedOnly();
                    byName.put(name, draft);
                    threads.add(draft);
                }
            }
        }
        byName.keySet().removeIf(name -> count.getOrDefault(name, 1) > 1);
        return byName;
    }

    private static void useWaiter(Listed entry, Map<String, ThreadDraft> byName) {
        ThreadDraft waiter = byName.get(entry.waiter);
        if (waiter != null && waiter.wanted() == null) {
            waiter.waitsFor(entry.lock);
        }
    }

    private record Listed(String waiter, Lock lock, String holder) {}
}
