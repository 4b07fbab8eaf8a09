package io.lifeguard.pool.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.AbstractQueue;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A first-in-first-out {@link BlockingQueue} of raw tasks that keeps each task's enqueue time in the slot beside it.
 * Thread-safe.
 *
 * <p>The contract is that of {@link java.util.concurrent.LinkedBlockingQueue}, whose place in a
 * {@link java.util.concurrent.ThreadPoolExecutor} it takes: what is put in is what comes out, null is refused with a
 * {@link NullPointerException}, interruptible methods throw when the thread is interrupted on entry, bulk operations
 * and {@link #size()} are exact at one instant of the call. What differs:
 *
 * <ul>
 *   <li>Producers that wait for room are served in the order of their arrival. While a producer waits,
 *       {@link #offer(Runnable)} returns false, even in the moments when a slot is free: it belongs to the waiting
 *       producers.
 *   <li>With a {@linkplain #refillBatch batch} above 1 they are let in only when so many slots are free, or after 1 ms.
 *   <li>{@link #exceed} enqueues beyond the capacity. Such tasks count in {@link #size()}. They stay in the line of the
 *       waiting producers until there is room.
 *   <li>Iterators show the queue as it was when they were made; their {@code remove()} removes the very element, if it
 *       is still there, in time proportional to its distance from the head. To remove many use {@link #removeIf}.
 *   <li>{@code equals} and predicates of users are called without any lock held.
 * </ul>
 *
 * <p>Taking and offering take no lock and, on a queue of up to 65,536 slots, allocate nothing; larger and unbounded
 * queues allocate 12 to 16 bytes per task, in segments.
 */
public abstract sealed class WorkQueue extends AbstractQueue<Runnable> implements BlockingQueue<Runnable>
        permits RingQueue, SegmentQueue {
    static final long UNBOUNDED = Long.MAX_VALUE;
    private static final int LARGEST_RING = 1 << 16;
    private static final int SEGMENT_SIZE = 1024;
    private static final VarHandle WORKERS;
    private static final VarHandle HANDLERS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORKERS = lookup.findVarHandle(WorkQueue.class, "workers", QueueWorkers.class);
            HANDLERS = lookup.findVarHandle(WorkQueue.class, "handlers", int.class);
            // Initialised here: an Error in its initialiser, during a submission, would make the class unusable
            // forever.
            Objects.requireNonNull(Admission.ACCEPTED);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final long capacity;
    final Positions positions = new Positions();
    final QueueEdits edits = new QueueEdits(this);
    final IdleWorkers idle = new IdleWorkers(this);
    final WaitingProducers producers = new WaitingProducers(this);

    private volatile @Nullable QueueWorkers workers; // set once, by attach

    // How many threads run a user's saturation handler. Written by those threads, each of which sees itself counted; a
    // stale read of others costs a call or spares it.
    private volatile int handlers;

    // Written and read back by a producer, after an Error only. The store of the stamp must stay before that of the
    // task:
    // no store passes a volatile store behind it, nor a volatile load before it, and these two do not change places.
    volatile int fence;
    int seen; // what was read back, so that there is a use of it

    WorkQueue(long capacity) {
        this.capacity = capacity;
    }

    /**
     * Creates a queue that holds at most {@code capacity} tasks. Up to 65,536 slots are allocated at once, 12 to 16
     * bytes each and a power of two of them; a larger queue allocates as it fills.
     *
     * @throws IllegalArgumentException when {@code capacity < 1}
     */
    public static WorkQueue bounded(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be >= 1 (was " + capacity + ")");
        }
        return capacity <= LARGEST_RING ? RingQueue.of(capacity) : SegmentQueue.of(capacity, SEGMENT_SIZE);
    }

    /** Creates a queue without a bound: {@code put} and {@code offer} always succeed at once. */
    public static WorkQueue unbounded() {
        return SegmentQueue.of(UNBOUNDED, SEGMENT_SIZE);
    }

    /**
     * Attaches the pool that owns this queue: its workers are told what they take.
     *
     * @return false when another pool was attached before; the queue is then foreign to this one
     */
    public final boolean attach(QueueWorkers owner) {
        Objects.requireNonNull(owner, "workers");
        return WORKERS.compareAndSet(this, null, owner) || workers == owner;
    }

    /**
     * The calling thread runs a user's saturation handler. Until {@link #handlerEnds}, the owner is told which tasks
     * are enqueued, because a handler may put its task here by itself.
     */
    public final void handlerBegins() {
        HANDLERS.getAndAdd(this, 1);
    }

    /** The handler has returned or thrown. */
    public final void handlerEnds() {
        HANDLERS.getAndAdd(this, -1);
    }

    private void tellOwner(Runnable task) {
        QueueWorkers owner = workers;
        if (owner != null) {
            owner.enqueued(task);
        }
    }

    /**
     * The number of tasks ever enqueued; only grows. A caller that reads it after a count of completed tasks never
     * finds it smaller.
     */
    public final long accepted() {
        // In this order: a task that moves from one count to the other in between is counted twice, never missed.
        long beyond = producers.excess() + producers.excessRemoved();
        return beyond + positions.tail();
    }

    /** The {@link System#nanoTime()} at which the head was enqueued; {@link Long#MIN_VALUE} when the queue is empty. */
    public final long oldestNanos() {
        for (int pauses = 0; ; pauses = Pause.once(pauses)) {
            long word = positions.headWord();
            long head = Positions.position(word);
            if (positions.isEmpty(head)) {
                return Long.MIN_VALUE;
            }
            if (Positions.frozen(word)) {
                edits.awaitThaw();
                continue;
            }
            Cursor cursor = cursor(head);
            if (cursor.item() != null) {
                long stamp = cursor.stamp();
                VarHandle.loadLoadFence();
                if (positions.headWord() == word) {
                    return stamp;
                }
            }
        }
    }

    public final int waitingProducers() {
        return Math.max(0, producers.count() - producers.excess());
    }

    /** How {@link #admit} ended. */
    public enum Admission {
        /** The task is in the queue. */
        ACCEPTED,
        /** There was no room in time; the task is not in the queue. */
        TIMED_OUT,
        /**
         * {@link #releaseWaiters()}, {@link #reviewFirst()} or {@link #reviewWorkers()} was called; the task is not in
         * the queue.
         */
        RELEASED
    }

    /**
     * Waits for room, first come, first served, on behalf of a saturation policy. A release that comes before this call
     * has no effect on it; see {@link #admit(Runnable, long, long)}.
     *
     * @param timeoutNanos how long to wait at most; {@link Long#MAX_VALUE} means forever; 0 or less means not at all
     * @throws InterruptedException when the thread was or is interrupted; the task is not in the queue
     */
    public final Admission admit(Runnable task, long timeoutNanos) throws InterruptedException {
        return admit(task, timeoutNanos, producers.releases());
    }

    /**
     * Like {@link #admit(Runnable, long)}, and does not wait when there was a release since {@code releases} was read.
     * The caller reads it, then checks whatever a release announces (a shutdown, another pool size), then calls this:
     * so it cannot miss the announcement.
     *
     * @param releases what {@link #releases()} returned
     */
    public final Admission admit(Runnable task, long timeoutNanos, long releases) throws InterruptedException {
        return admit(task, timeoutNanos, releases, new Place(false));
    }

    /**
     * Like {@link #admit(Runnable, long, long)}, for a submitter that may call this again after it was
     * {@link Admission#RELEASED} or {@link Admission#TIMED_OUT}. With the same place it keeps its turn.
     */
    public final Admission admit(Runnable task, long timeoutNanos, long releases, Place place)
            throws InterruptedException {
        return enqueue(task, timeoutNanos, place, releases);
    }

    /** How many times waiting submitters were released or had to look again. */
    public final long releases() {
        return producers.releases();
    }

    /**
     * Ends every wait in {@code admit} with {@link Admission#RELEASED}: the pool was shut down, or its size changed,
     * and the caller has to look again. Threads in {@code put} and the timed {@code offer} wait on, as a
     * {@link BlockingQueue} has to.
     */
    public final void releaseWaiters() {
        producers.release();
    }

    /**
     * Ends the wait in {@code admit} with {@link Admission#RELEASED} for the first submitter in the line: the pool may
     * grow, and this submitter has to submit again. The others keep waiting.
     */
    public final void reviewFirst() {
        producers.review(true);
    }

    /**
     * Ends the wait in {@code admit} with {@link Admission#RELEASED} for those whose {@linkplain Place#Place place}
     * says so: the pool has lost a worker, and they may wait for each other. The others keep waiting.
     */
    public final void reviewWorkers() {
        producers.review(false);
    }

    /** Lets waiting producers in, if there is room for them. */
    public final void letWaitersIn() {
        producers.roomMade();
    }

    /** Lets the submitter with this place in before all others that wait: others would wait for it. */
    public final void promote(Place place) {
        if (!place.promoted) {
            producers.promote(place);
        }
    }

    /**
     * Enqueues the task at once. If the queue is full or others wait for room, it holds more than its capacity until
     * there is room. For a submitter that must not wait, because no other thread could make room for it.
     */
    public final void exceed(Runnable task) {
        if (!offer(task)) {
            StackReserve.ensure();
            producers.exceed(task);
        }
    }

    /** Whether fewer tasks than the capacity are enqueued beyond the capacity. */
    public final boolean mayExceed() {
        return producers.excess() < capacity;
    }

    /**
     * Enqueues the task in the place of the oldest, in one step: no other producer gets the room.
     *
     * @return the oldest task, which is no longer in the queue; null if there was room without that
     */
    public final @Nullable Runnable replaceOldest(Runnable task) {
        Objects.requireNonNull(task, "task");
        return edits.replaceOldest(task);
    }

    /**
     * Sets how many slots have to be free before waiting producers are let in. Waking a producer for each slot costs
     * more than a short task; waking it for many delays it when tasks are long, so the pool sets this from its service
     * time.
     *
     * @param slots clamped to 1 (at once, the initial value) .. capacity / 2
     */
    public final void refillBatch(int slots) {
        producers.batch((int) Math.max(1, Math.min(slots, capacity / 2)));
    }

    // Producers

    /** Enqueues the task at once or returns false: the queue is full, or others wait for room. */
    @Override
    public final boolean offer(Runnable task) {
        Objects.requireNonNull(task, "task");
        if (idle.needsWaking()) {
            StackReserve.ensure();
        }
        if (producers.count() != 0 || !append(task, System.nanoTime(), capacity)) {
            return mayUseRoomOfItsOwn() && offerBesideLine(task);
        }
        try {
            added(task);
        } catch (Error ignored) { // the task is in the queue: without a wake-up all workers might sleep on
            idle.taskAdded();
        }
        return true;
    }

    private boolean mayUseRoomOfItsOwn() {
        QueueWorkers owner = workers;
        return owner != null && owner.usesRoomOfItsOwn();
    }

    private boolean offerBesideLine(Runnable task) {
        if (append(task, System.nanoTime(), capacity)) {
            try {
                added(task);
            } catch (Error ignored) { // as above
                idle.taskAdded();
            }
        } else {
            producers.exceed(task); // another took the slot in between
        }
        return true;
    }

    /**
     * The task is in the queue: wakes a worker, and tells the owner if a handler may have enqueued the task. The caller
     * wakes a worker itself if an Error strikes here, because one may strike at the call as well.
     */
    private void added(Runnable task) {
        idle.taskAdded();
        if (handlers != 0) {
            tellOwner(task);
        }
    }

    @Override
    public final void put(Runnable task) throws InterruptedException {
        enqueue(task, Long.MAX_VALUE, null, 0);
    }

    @Override
    public final boolean offer(Runnable task, long timeout, TimeUnit unit) throws InterruptedException {
        return enqueue(task, unit.toNanos(timeout), null, 0) == Admission.ACCEPTED;
    }

    private Admission enqueue(Runnable task, long nanos, @Nullable Place place, long releases)
            throws InterruptedException {
        Objects.requireNonNull(task, "task");
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        // A caller of admit() was refused a moment ago. If it took each slot as it becomes free, it would come back for
        // every task. So it waits, like the others, until a batch of slots is free.
        boolean patient = place != null && nanos > 0 && !hasRoom(producers.batch());
        if (!patient && offer(task)) {
            return Admission.ACCEPTED;
        }
        if (nanos <= 0) {
            return Admission.TIMED_OUT;
        }
        StackReserve.ensure();
        Admission admission = producers.await(task, nanos, place, releases);
        if (handlers != 0 && admission == Admission.ACCEPTED) {
            tellOwner(task);
        }
        return admission;
    }

    // Consumers

    @Override
    public final @Nullable Runnable poll() {
        QueueWorkers owner = workers;
        return dequeue(null, owner != null && owner.makesRoomForItself() ? IdleWorkers.KEEPS_ROOM : null);
    }

    @Override
    @SuppressWarnings("NullAway") // null is for those that wait for a limited time; a call might fail and lose the task
    public final Runnable take() throws InterruptedException {
        return dequeueOrWait(false, 0);
    }

    @Override
    public final @Nullable Runnable poll(long timeout, TimeUnit unit) throws InterruptedException {
        return dequeueOrWait(true, unit.toNanos(timeout));
    }

    private @Nullable Runnable dequeueOrWait(boolean timed, long nanos) throws InterruptedException {
        QueueWorkers owner = workers;
        QueueWorker worker = owner == null ? null : owner.current();
        if (worker != null) {
            worker.returned();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Runnable task = dequeue(worker, null);
        return task != null || (timed && nanos <= 0) ? task : idle.await(worker, timed, nanos);
    }

    /**
     * What every consumer does once it has cleared the slot.
     *
     * @param head the position behind the one it claimed
     */
    final void leave(
            Runnable task, long stamp, long head, @Nullable QueueWorker worker, IdleWorkers.@Nullable Seeker seeker) {
        if (seeker != null) {
            if (seeker == IdleWorkers.KEEPS_ROOM) {
                return;
            }
            idle.taskFound(seeker);
        }
        boolean served = producers.roomMade(head);
        if (worker != null) {
            if (served || seeker != null) {
                worker.delayed();
            }
            worker.took(task, stamp);
        }
    }

    /** An Error has struck in {@link #leave}. Each of its steps may be repeated; the task must not be lost. */
    final void leaveAfterError(
            Runnable task, long stamp, long head, @Nullable QueueWorker worker, IdleWorkers.@Nullable Seeker seeker) {
        try {
            leave(task, stamp, head, worker, seeker);
        } catch (Throwable ignored) { // the consumer gets its task, and the next one does what this one could not
            return;
        }
    }

    @Override
    public final @Nullable Runnable peek() {
        for (int pauses = 0; ; pauses = Pause.once(pauses)) {
            long word = positions.headWord();
            long head = Positions.position(word);
            if (positions.isEmpty(head)) {
                return null;
            }
            if (Positions.frozen(word)) {
                edits.awaitThaw();
                continue;
            }
            Runnable task = cursor(head).item();
            if (task != null && positions.headWord() == word) {
                return task;
            }
        }
    }

    // The queue as a collection

    @Override
    public final int size() {
        int beyond = producers.excess(); // before the positions: a task that moves in between is not missed
        return (int) Math.min(beyond + positions.size(), Integer.MAX_VALUE);
    }

    @Override
    public final boolean isEmpty() {
        return producers.excess() == 0 && positions.isEmpty();
    }

    /** The free slots at one instant; {@link Integer#MAX_VALUE} when there is no bound. */
    @Override
    public final int remainingCapacity() {
        return capacity == UNBOUNDED ? Integer.MAX_VALUE : (int) Math.max(0, capacity - positions.size());
    }

    @Override
    public final boolean contains(@Nullable Object o) {
        return o != null && edits.contains(o);
    }

    @Override
    public final boolean remove(@Nullable Object o) {
        return o != null && edits.remove(o);
    }

    @Override
    public final boolean removeIf(Predicate<? super Runnable> filter) {
        return edits.removeIf(Objects.requireNonNull(filter, "filter"));
    }

    @Override
    public final boolean removeAll(Collection<?> c) {
        Objects.requireNonNull(c, "c");
        return edits.removeIf(c::contains);
    }

    @Override
    public final boolean retainAll(Collection<?> c) {
        Objects.requireNonNull(c, "c");
        return edits.removeIf(task -> !c.contains(task));
    }

    @Override
    public final void clear() {
        edits.clear();
    }

    @Override
    public final int drainTo(Collection<? super Runnable> c) {
        return drainTo(c, Integer.MAX_VALUE);
    }

    /**
     * Moves at most so many tasks, in one step. Consumers wait meanwhile. When {@code c.add} throws, the tasks that
     * were not added stay here; it must not take from this queue.
     *
     * @throws IllegalArgumentException when {@code c} is this queue
     */
    @Override
    public final int drainTo(Collection<? super Runnable> c, int maxElements) {
        Objects.requireNonNull(c, "c");
        if (c == this) {
            throw new IllegalArgumentException("a queue cannot be drained to itself");
        }
        QueueWorkers owner = workers;
        if (owner != null) {
            owner.draining();
        }
        return maxElements <= 0 ? 0 : edits.drainTo(c, maxElements);
    }

    @Override
    public final Object[] toArray() {
        Runnable[] items = edits.snapshot().items;
        return Arrays.copyOf(items, items.length, Object[].class);
    }

    @Override
    public final <T> T[] toArray(T[] a) {
        return Arrays.asList(edits.snapshot().items).toArray(a);
    }

    @Override
    public final Iterator<Runnable> iterator() {
        return edits.snapshot();
    }

    @Override
    public final void forEach(Consumer<? super Runnable> action) {
        iterator().forEachRemaining(action);
    }

    @Override
    public final Spliterator<Runnable> spliterator() {
        return Spliterators.spliterator(edits.snapshot().items, Spliterator.ORDERED | Spliterator.NONNULL);
    }

    // For the rest of this package

    final boolean hasTasks() {
        return !positions.isEmpty();
    }

    final boolean hasSeveralTasks() {
        return positions.size() > 1;
    }

    final boolean hasRoom(int slots) {
        long tail = positions.tail();
        return hasRoom(slots, tail, positions.head());
    }

    /** The same where the head is known to have come so far: true is true, false may be too pessimistic. */
    final boolean hasRoom(int slots, long head) {
        return hasRoom(slots, positions.tail(), head);
    }

    private boolean hasRoom(int slots, long tail, long head) {
        return capacity - (tail - head) >= slots;
    }

    /** Claims the tail, stamps and publishes the task; false when the queue holds so many already. */
    abstract boolean append(Runnable task, long stamp, long limit);

    /** Claims the head and {@linkplain #leave leaves} with its task; null when the queue is empty. */
    abstract @Nullable Runnable dequeue(@Nullable QueueWorker worker, IdleWorkers.@Nullable Seeker seeker);

    /** A cursor at a position from the head on; the caller has frozen the head, or checks that it did not move. */
    abstract Cursor cursor(long position);
}
