package io.lifeguard.pool.measure;

/**
 * Follows a worker through its idleness, and books what it costs. Not thread-safe: owned by a worker.
 */
final class IdleMeter {

    /** A rest shorter than this was a look into a queue, perhaps with spinning; a longer one was a park. */
    private static final long LONG_REST_NANOS = 20_000;

    /** What the worker does. */
    private enum Phase {
        BUSY,
        SEARCHING,
        PARKED,
        RESTING
    }

    private final CostedClock clock;
    private final CpuAccounting books;
    private final IdleCost cost;

    // all touched by the worker only
    private long wallBefore;
    private Phase phase = Phase.BUSY;
    private long since;
    private boolean isSample;

    IdleMeter(CostedClock clock, CpuAccounting books, IdleCost cost) {
        this.clock = clock;
        this.books = books;
        this.cost = cost;
    }

    boolean isBusy() {
        return phase == Phase.BUSY;
    }

    /** Whether the worker is parked, and the clock will be read when it wakes. */
    boolean isSampledPark() {
        return phase == Phase.PARKED && isSample;
    }

    /** The idle period at hand will be booked by estimate. */
    void dropSample() {
        isSample = false;
    }

    /** The worker looks for work; tasks are booked if {@code worthReading} nanoseconds have passed since the last time. */
    void search(long now, long worthReading) {
        if (phase == Phase.BUSY) {
            learnWork();
            enter(Phase.SEARCHING, clock.isKnown() && cost.samplesSearch(), now, worthReading);
        }
    }

    /** The worker does something that will not be seen. */
    void rest(long now, long worthReading) {
        if (phase == Phase.BUSY) {
            learnWork();
            enter(Phase.RESTING, clock.isKnown() && cost.samplesRest(), now, worthReading);
        }
    }

    /** The worker has found nothing and parks. */
    void park(long now, long worthReading) {
        if (phase == Phase.SEARCHING) {
            endSearch(now);
            enter(Phase.PARKED, clock.isKnown() && cost.samplesParking(), now, worthReading);
        }
    }

    private void learnWork() {
        long wall = books.taskWall();
        cost.afterWork(wall - wallBefore, clock.cost());
        wallBefore = wall;
    }

    private void enter(Phase entered, boolean sample, long now, long worthReading) {
        phase = entered;
        isSample = sample;
        if (sample || (books.hasUnbookedTasks() && books.sinceRead(now) >= worthReading)) {
            books.bookTasks(now);
        }
        since = books.afterRead(now);
    }

    /** The worker has a task, or ends. */
    void wake(long now) {
        switch (phase) {
            case SEARCHING -> endSearch(now);
            case PARKED -> endParking(now);
            case RESTING -> {
                if (now - since < LONG_REST_NANOS) {
                    endSearch(now);
                } else {
                    endParking(now);
                }
            }
            case BUSY -> {}
        }
        phase = Phase.BUSY;
    }

    private void endSearch(long now) {
        long wall = Math.max(0, now - since);
        long nanos = isSample ? books.readClock() : -1;
        if (nanos >= 0) {
            cost.learnSearch(books.since(nanos), wall);
            books.bookIdle(now, nanos);
        } else {
            books.estimateIdle(cost.ofSearch(wall));
        }
    }

    private void endParking(long now) {
        long nanos = isSample ? books.readClock() : -1;
        if (nanos >= 0) {
            cost.learnParking(books.since(nanos));
            books.bookIdle(now, nanos);
        } else {
            books.estimateIdle(cost.ofParking());
        }
    }
}
