package io.lifeguard.pool.diagnosis.outside;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.Fixture;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pools that have as many threads as others are told apart. */
class ExternalWorkersTest {

    /** As many threads as no pool that other tests left behind. */
    private static final int SIZE = 11;

    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static ThreadFactory names(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return body -> new Thread(body, prefix + number.incrementAndGet());
    }

    private ThreadPoolExecutor started(int size, ThreadFactory threads) {
        return started(new ThreadPoolExecutor(size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads));
    }

    private <P extends ThreadPoolExecutor> P started(P pool) {
        fixture.closing(pool);
        pool.prestartAllCoreThreads();
        return pool;
    }

    private static List<String> found(ExternalWorkers workers, ThreadPoolExecutor pool) {
        return workers.find(pool).stream().map(Thread::getName).toList();
    }

    private void eventuallyFinds(ExternalWorkers workers, ThreadPoolExecutor pool, String prefix) {
        fixture.eventually("the workers", () -> !workers.find(pool).isEmpty());
        assertThat(found(workers, pool)).hasSize(pool.getPoolSize()).allMatch(name -> name.startsWith(prefix));
        assertThat(workers.doubt()).isEmpty();
    }

    @Test
    void find_prefixOfTheFactoryIsKnown_tellsPoolsOfOneSizeApart() {
        ThreadPoolExecutor one = started(SIZE, names("known-one-"));
        ThreadPoolExecutor other = started(SIZE, names("known-other-"));

        eventuallyFinds(new ExternalWorkers("beanOne", "known-one-"), one, "known-one-");
        eventuallyFinds(new ExternalWorkers("beanTwo", "known-other-"), other, "known-other-");
    }

    /** As the two utility threads that every Tomcat has beside a bean of two threads. */
    @Test
    void find_otherPoolHasAnotherClassOfQueue_isNotACandidate() {
        ThreadPoolExecutor pool = started(SIZE, names("queue-mine-"));
        ScheduledThreadPoolExecutor scheduler = started(new ScheduledThreadPoolExecutor(SIZE, names("queue-utility-")));

        eventuallyFinds(new ExternalWorkers("bean", ""), pool, "queue-mine-");
        eventuallyFinds(new ExternalWorkers("utility", ""), scheduler, "queue-utility-");
    }

    /** Two beans with Spring's default prefix. */
    @Test
    void find_poolsOfOneNameAndOtherSizes_areToldApartByTheirQueues() {
        ThreadFactory shared = names("shared-");
        ThreadPoolExecutor small = started(SIZE, shared);
        ThreadPoolExecutor large = started(SIZE + 1, shared);

        ExternalWorkers ofSmall = new ExternalWorkers("small", "shared-");
        ExternalWorkers ofLarge = new ExternalWorkers("large", "shared-");
        fixture.eventually(
                "both",
                () -> !ofSmall.find(small).isEmpty() && !ofLarge.find(large).isEmpty());

        assertThat(ofSmall.find(small)).hasSize(SIZE).doesNotContainAnyElementsOf(ofLarge.find(large));
    }

    /** A pool of eight beside a library's eight threads. */
    @Test
    void find_poolsOfOneSize_areToldApartByHowManyAreIdle() {
        ThreadPoolExecutor busy = started(SIZE, names("counted-busy-"));
        ThreadPoolExecutor idle = started(SIZE, names("counted-idle-"));
        fixture.occupy(busy);
        fixture.occupy(busy);
        // A worker that starts counts as active: the idle pool then looks as the busy one, in looks without a pause.
        fixture.eventually("the idle ones wait", () -> waitingThreads("counted-idle-") == SIZE);
        fixture.eventually("the others wait", () -> waitingThreads("counted-busy-") == SIZE);

        eventuallyFinds(new ExternalWorkers("b", ""), busy, "counted-busy-");
        eventuallyFinds(new ExternalWorkers("i", ""), idle, "counted-idle-");
    }

    @Test
    void find_poolsThatLookTheSame_areNotGuessedAndTheDoubtIsSaid() {
        ThreadPoolExecutor one = started(SIZE, names("same-one-"));
        started(SIZE, names("same-other-"));

        // Before all of them wait, the idle ones of one pool may differ from those of the other, and tell them apart.
        fixture.eventually("the threads wait", () -> waitingThreads("same-") == 2 * SIZE);
        ExternalWorkers workers = new ExternalWorkers("bean", "");
        assertThat(workers.doubt()).isEmpty();
        fixture.eventually("the doubt is said", () -> {
            assertThat(workers.find(one)).isEmpty();
            return workers.doubt().filter(doubt -> doubt.contains("may be")).isPresent();
        });
        for (int i = 0; i < 100; i++) {
            assertThat(workers.find(one)).isEmpty();
        }
        assertThat(workers.doubt().orElseThrow()).contains("'same-one-'", "'same-other-'");
    }

    /** Beans of one thread each, of which a library has some too. */
    @Test
    void find_poolsThatLookTheSameWithKnownWorkers_areFoundAtOnce() {
        ThreadFactory shared = names("known-");
        ThreadPoolExecutor one =
                new ThreadPoolExecutor(SIZE, SIZE, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), shared);
        KnownWorkers.of(one);
        started(one);
        List<String> ofOne = Stream.iterate(1, number -> number + 1)
                .limit(SIZE)
                .map(number -> "known-" + number)
                .toList();
        started(SIZE, shared);

        assertThat(found(new ExternalWorkers("bean", ""), one)).containsExactlyInAnyOrderElementsOf(ofOne);
        one.setCorePoolSize(SIZE - 1);
        one.setMaximumPoolSize(SIZE - 1);
        ExternalWorkers later = new ExternalWorkers("bean", "");
        fixture.eventually(
                "one has ended",
                () -> ofOne.containsAll(found(later, one)) && found(later, one).size() == SIZE - 1);
    }

    /** A pool whose workers a constructor of the application has started. */
    @Test
    void find_workersOlderThanTheKnownOnes_areSearched() {
        ThreadPoolExecutor pool = started(SIZE, names("older-"));
        KnownWorkers.of(pool);
        pool.setMaximumPoolSize(SIZE + 1);
        pool.setCorePoolSize(SIZE + 1);
        pool.prestartAllCoreThreads();

        eventuallyFinds(new ExternalWorkers("bean", ""), pool, "older-");
        assertThat(pool.getPoolSize()).isEqualTo(SIZE + 1);
    }

    private static long waitingThreads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(prefix))
                .filter(thread -> thread.getState() == Thread.State.WAITING)
                .count();
    }

    @Test
    void find_singleThreadWithoutANumber_isFound() {
        ThreadPoolExecutor pool = started(1, body -> new Thread(body, "mailer"));
        eventuallyFinds(new ExternalWorkers("mail", ""), pool, "mailer");
    }
}
