package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.diagnosis.evidence.stack.ThreadLook;
import io.lifeguard.pool.diagnosis.evidence.stack.ThreadPicture;
import io.lifeguard.pool.diagnosis.seen.DeadlockCircle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The {@linkplain ThreadPicture picture} of the threads in a dump. Not thread-safe. */
public final class DumpPicture {

    private final ThreadPicture picture;
    private final IdentityHashMap<DumpedThread, ThreadLook> looks = new IdentityHashMap<>();
    private final Map<Long, DumpedThread> threads = new HashMap<>(); // by the number of their look
    private final Map<String, Long> owners = new HashMap<>(); // by the lock's identity

    DumpPicture(ThreadDump dump) {
        Set<Long> numbers = new HashSet<>();
        Map<String, @Nullable Long> byName = new HashMap<>(); // null where several have the name
        List<Long> ids = new ArrayList<>();
        for (DumpedThread thread : dump.threads()) {
            long number = thread.nativeId().orElse(0);
            long id = number > 0 && numbers.add(number) ? number : -2L - ids.size();
            ids.add(id);
            threads.put(id, thread);
            byName.put(thread.name(), byName.containsKey(thread.name()) ? null : id);
        }
        dump.holders().forEach((lock, name) -> {
            Long id = byName.get(name);
            if (id != null) { // otherwise the dump does not say which of them holds it
                owners.put(lock, id);
            }
        });
        threads.forEach((id, thread) -> thread.holds().forEach(lock -> owners.put(lock, id)));
        for (int i = 0; i < ids.size(); i++) {
            DumpedThread thread = dump.threads().get(i);
            looks.put(thread, look(ids.get(i), thread));
        }
        picture = ThreadPicture.of(dump.threads().stream().map(looks::get).toList());
    }

    private ThreadLook look(long id, DumpedThread thread) {
        Optional<DumpedThread.Lock> lock = thread.waitsFor();
        return new ThreadLook(
                id,
                thread.name(),
                thread.isVirtual(),
                thread.state(),
                thread.stack(),
                lock.map(DumpedThread.Lock::name).orElse(""),
                lock.map(wanted -> owners.get(wanted.identity())).orElse(ThreadLook.NO_HOLDER),
                null,
                thread.holds(),
                false);
    }

    /**
     * {@return how a thread of the dump looks}
     *
     * @param thread of this very dump, not null
     */
    @SuppressWarnings("exports") // for this module: only its packages may use that type
    public ThreadLook look(DumpedThread thread) {
        return Objects.requireNonNull(looks.get(thread), "thread must be one of this dump");
    }

    /**
     * {@return the thread whose look has this number; empty when there is none}
     *
     * @param id the number of a look
     */
    public Optional<DumpedThread> thread(long id) {
        return Optional.ofNullable(threads.get(id));
    }

    /** {@return circles of threads that wait for each other's locks, for a finding} */
    @SuppressWarnings("exports") // for this module: only its packages may use that type
    public List<DeadlockCircle> deadlocks() {
        return picture.circles().stream()
                .map(circle -> ThreadPicture.circle(circle, false))
                .toList();
    }

    /** {@return circles that stacks show where the dump does not say who holds a lock} */
    @SuppressWarnings("exports") // for this module: only its packages may use that type
    public List<DeadlockCircle> likelyDeadlocks() {
        return picture.likelyCircles().stream()
                .map(circle -> ThreadPicture.circle(circle, true))
                .toList();
    }

    /**
     * {@return the thread that holds a lock; empty when the dump does not say it}
     *
     * @param lock a lock of this dump, not null
     */
    public Optional<DumpedThread> holder(DumpedThread.Lock lock) {
        return Optional.ofNullable(owners.get(lock.identity())).map(threads::get);
    }

    /**
     * {@return the thread that seems to hold the lock for which all these wait, by its stack}
     *
     * @param waiters threads of this very dump, not null
     */
    public Optional<DumpedThread> likelyHolder(List<DumpedThread> waiters) {
        ThreadLook holder =
                picture.likelyHolder(waiters.stream().map(looks::get).toList());
        return Optional.ofNullable(holder).map(look -> threads.get(look.id()));
    }

    /** {@return each circle of threads that wait for each other's locks, as far as the dump says who holds which} */
    public List<List<DumpedThread>> circles() {
        return picture.circles().stream()
                .map(circle ->
                        circle.stream().map(look -> threads.get(look.id())).toList())
                .toList();
    }
}
