package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.evidence.stack.Stratum;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.window.Estimate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Counts the workers of one pool by state and blocker, many times in a window. Confined to the monitor's thread.
 *
 * <p>A look takes no stack and stops no thread. It reads the state and the blocker of each thread only: some
 * nanoseconds for a thread that does the same as before. Whether a worker is idle is learnt when the workers are
 * listed, which costs more: idle workers of a pool wait for the same object.
 *
 * <p>A look may stand for moments before it that were skipped. Then it counts as often.
 */
final class Census implements UnaryOperator<Stratum> {

    /** Objects of one class that are counted apart. A pool with more has a new object for each wait. */
    private static final int MOST_OBJECTS = 16;

    /** Where idle workers wait for more objects than that, nothing is learnt from them. */
    private static final int MOST_VOTES = 64;

    /** More votes would only delay a change of mind. */
    private static final int ENOUGH_VOTES = 8;

    private final Map<Stratum, Count> counts = new LinkedHashMap<>();
    private final Map<String, Integer> objects = new HashMap<>(); // how many of each blocker's class are counted apart
    private final Map<Stratum, Integer> idleVotes = new HashMap<>(); // idle workers seen there, less the busy ones
    private Member[] members = {};
    private int looks; // as often as they count
    private int moments; // at which workers were looked at
    private long workers;

    void members(List<WorkerState> all) {
        if (idleVotes.size() > MOST_VOTES) {
            idleVotes.clear();
        }
        Member[] before = members;
        members = new Member[all.size()];
        for (int i = 0; i < members.length; i++) {
            WorkerState worker = all.get(i);
            members[i] =
                    i < before.length && before[i].thread == worker.thread() ? before[i] : new Member(worker.thread());
            if (worker.idle() || worker.busy()) {
                Stratum seen = members[i].stratum();
                if (!seen.blocker().isEmpty()) {
                    int votes = idleVotes.getOrDefault(seen, 0) + (worker.idle() ? 1 : -1);
                    idleVotes.put(seen, Math.max(-ENOUGH_VOTES, Math.min(ENOUGH_VOTES, votes)));
                }
            }
            members[i].forgetCount();
        }
    }

    int size() {
        return members.length;
    }

    boolean isEmpty() {
        return members.length == 0;
    }

    /**
     * Looks at all members. {@return how many of them are not idle}
     *
     * @param weight how often this look counts, at least 1
     */
    int look(int weight) {
        int alive = 0;
        int idle = 0;
        for (Member member : members) {
            Count count = member.look();
            if (count != null) {
                count.now++;
                alive++;
                idle += count.isIdle ? 1 : 0;
            }
        }
        endLook(weight);
        if (alive > 0) {
            looks += weight;
            moments++;
            workers += (long) weight * alive;
        }
        return alive - idle;
    }

    /** Counts all members as idle, without a look at them: their pool is known to have had no task. */
    void wereIdle(int weight) {
        if (weight > 0 && members.length > 0) {
            count(Stratum.IDLE).now += members.length;
            endLook(weight);
            looks += weight;
            moments++;
            workers += (long) weight * members.length;
        }
    }

    private void endLook(int weight) {
        for (Count count : counts.values()) {
            count.endLook(weight);
        }
    }

    private Count count(Stratum stratum) {
        Count known = counts.get(stratum);
        if (known == null) {
            known = new Count(stratum);
            counts.put(stratum, known);
        }
        return known;
    }

    /** Tells what each member did at the last look. */
    @SuppressWarnings("ReferenceEquality") // a member keeps its object while it does the same
    void tell(StateLog log) {
        for (Member member : members) {
            Stratum state = member.seen;
            if (state != null && state.state() != Thread.State.TERMINATED) {
                log.state(member.id, member.thread, counted(state), state == member.told);
            }
        }
    }

    /** A stack has told what this thread does. */
    void toldByStack(Thread thread) {
        for (Member member : members) {
            if (member.thread == thread) {
                member.told = member.seen;
            }
        }
    }

    /** {@return the stratum of a worker as it is now} */
    Stratum stratum(WorkerState worker) {
        return counted(Stratum.of(worker.thread()));
    }

    private Stratum counted(Stratum seen) {
        if (idleVotes.getOrDefault(seen, 0) > 0) {
            return Stratum.IDLE;
        }
        if (seen.identity() == 0 || counts.containsKey(seen)) {
            return seen;
        }
        int apart = objects.getOrDefault(seen.blocker(), 0) + 1;
        objects.put(seen.blocker(), apart);
        return apart <= MOST_OBJECTS ? seen : seen.ofClass();
    }

    /** {@return the stratum to which a thread belongs that was seen in such a state; the same when there is none} */
    @Override
    public Stratum apply(Stratum seen) {
        if (counts.containsKey(seen)) {
            return seen;
        }
        return counts.containsKey(seen.ofClass()) ? seen.ofClass() : seen.ofState();
    }

    /** {@return how many workers each stratum had at the last look; none that is idle} */
    Map<Stratum, Integer> latest() {
        Map<Stratum, Integer> latest = new LinkedHashMap<>();
        for (Map.Entry<Stratum, Count> group : counts.entrySet()) {
            if (!group.getValue().isIdle && group.getValue().latest > 0) {
                latest.put(group.getKey(), group.getValue().latest);
            }
        }
        return latest;
    }

    /** {@return how many workers waited for a result at the last look, as far as state and blocker tell} */
    int waitingForResult() {
        int waiting = 0;
        for (Map.Entry<Stratum, Count> each : counts.entrySet()) {
            waiting += each.getKey().isLatchOrFuture() ? each.getValue().latest : 0;
        }
        return waiting;
    }

    /** {@return some of the threads that waited for a lock at the last look, another part of them each time} */
    List<Thread> waitingForLock(int most) {
        if (!isAnyWaitingForLock()) {
            return List.of(); // without a look at each member, because this is so nearly always
        }
        List<Thread> some = new ArrayList<>();
        int first = members.length == 0 ? 0 : ThreadLocalRandom.current().nextInt(members.length);
        for (int i = 0; i < members.length && some.size() < most; i++) {
            Member member = members[(first + i) % members.length];
            Stratum seen = member.seen;
            if (seen != null && isForLock(seen)) {
                some.add(member.thread);
            }
        }
        return some;
    }

    private boolean isAnyWaitingForLock() {
        for (Map.Entry<Stratum, Count> group : counts.entrySet()) {
            Count count = group.getValue();
            if (!count.isIdle && count.latest > 0 && isForLock(group.getKey())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isForLock(Stratum seen) {
        return seen.state() == Thread.State.BLOCKED || Waits.forLock(seen.blocker());
    }

    int looks() {
        return looks;
    }

    double workers() {
        return looks == 0 ? 0 : (double) workers / looks;
    }

    /** {@return the mean number of workers in each stratum, with the error of having looked at some moments only} */
    Map<Stratum, Estimate> means() {
        Map<Stratum, Estimate> means = new LinkedHashMap<>();
        for (Map.Entry<Stratum, Count> group : counts.entrySet()) {
            means.put(group.getKey(), group.getValue().mean(looks, moments, workers()));
        }
        return means;
    }

    void clear() {
        counts.clear();
        objects.clear();
        for (Member member : members) {
            member.forgetCount();
        }
        looks = 0;
        moments = 0;
        workers = 0;
    }

    /** Is told what single workers do. */
    interface StateLog {

        /**
         * A worker was looked at.
         *
         * @param id the thread's id, the same object each time
         * @param isSame whether state and blocker are the same as when its stack was taken
         */
        void state(Long id, Thread thread, Stratum state, boolean isSame);
    }

    /** One worker, with what it did at the last look. Holds the thread until the workers are listed again. */
    private final class Member {
        private final Thread thread;
        private final Long id; // made once, because it is asked for at each look
        private Thread.@Nullable State state;
        private @Nullable Object blocker;
        private @Nullable Stratum seen; // that state and blocker
        private @Nullable Stratum told; // the former when its stack was taken last
        private @Nullable Count count; // of that stratum; null until it was counted in this window

        @SuppressWarnings("deprecation") // threadId() exists since JDK 19 only
        Member(Thread thread) {
            this.thread = thread;
            this.id = thread.getId();
        }

        @Nullable
        Count look() {
            Stratum now = stratum();
            if (now.state() == Thread.State.TERMINATED) {
                return null;
            }
            Count known = count;
            if (known == null) {
                known = count(counted(now));
                count = known;
            }
            return known;
        }

        /** {@return what it does now} The same object as before while it does the same. */
        Stratum stratum() {
            Thread.State now = thread.getState();
            Object parkedOn = Stratum.isWaiting(now) ? LockSupport.getBlocker(thread) : null;
            Stratum known = seen;
            if (known == null || now != state || parkedOn != blocker) {
                known = Stratum.of(now, parkedOn);
                state = now;
                blocker = parkedOn;
                seen = known;
                count = null;
            }
            return known;
        }

        void forgetCount() {
            count = null;
        }
    }

    /** How often workers were seen in one stratum. */
    private static final class Count {
        private final boolean isIdle;
        private int now;
        private int latest; // of the last look
        private double sum;
        private double squares;

        Count(Stratum stratum) {
            isIdle = stratum.idle();
        }

        void endLook(int weight) {
            sum += (double) weight * now;
            squares += (double) weight * now * now;
            latest = now;
            now = 0;
        }

        /** With fewer than two looks, each worker's state counts as independent of the others' states. */
        Estimate mean(int looks, int moments, double all) {
            double mean = sum / looks;
            double variance = moments < 2
                    ? mean * Math.max(0, 1 - mean / all)
                    : Math.max(0, squares / looks - mean * mean) * moments / (moments - 1);
            return new Estimate(mean, Math.sqrt(variance / moments));
        }
    }
}
