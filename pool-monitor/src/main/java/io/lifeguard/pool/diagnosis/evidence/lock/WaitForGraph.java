package io.lifeguard.pool.diagnosis.evidence.lock;

import io.lifeguard.pool.diagnosis.window.DeadlockCircle;
import io.lifeguard.pool.diagnosis.window.DeadlockCircle.Member;
import io.lifeguard.pool.diagnosis.window.UserFrames;
import java.lang.management.LockInfo;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which thread waits for which: each for one at most. Not thread-safe. */
public final class WaitForGraph {

    private final Map<Long, Member> members = new LinkedHashMap<>();
    private final Map<Long, Long> holders = new HashMap<>();

    /** A thread that waits for a lock, and the identifier of the thread that holds the lock. */
    void add(Member waiter, long holder) {
        members.put(waiter.id(), waiter);
        holders.put(waiter.id(), holder);
    }

    /** {@return each circle once, beginning with the thread that was added first} */
    List<DeadlockCircle> circles() {
        List<DeadlockCircle> circles = new ArrayList<>();
        Set<Long> done = new HashSet<>();
        for (long first : members.keySet()) {
            List<Long> way = new ArrayList<>();
            Long thread = first;
            while (thread != null && members.containsKey(thread) && done.add(thread)) {
                way.add(thread);
                thread = holders.get(thread);
            }
            int begin = thread == null ? -1 : way.indexOf(thread);
            if (begin >= 0 && way.size() - begin > 1) {
                circles.add(new DeadlockCircle(
                        way.subList(begin, way.size()).stream()
                                .map(members::get)
                                .toList(),
                        false));
            }
        }
        return circles;
    }

    /** The name of a lock without the JDK's nested class, which says nothing to the reader. */
    public static String title(String lock) {
        return lock.replaceAll("\\$(Nonfair|Fair)?Sync@", "@");
    }

    /** A platform thread that waits for a lock. */
    static Member member(ThreadInfo info, LockInfo lock) {
        List<StackTraceElement> stack = List.of(info.getStackTrace());
        return new Member(
                info.getThreadId(),
                info.getThreadName(),
                false,
                title(lock.toString()),
                UserFrames.place(stack),
                stack.stream().map(StackTraceElement::toString).toList());
    }
}
