package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.WaitingThreads;
import io.lifeguard.pool.diagnosis.window.WaitingThreads.Kind;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.dumps.ThreadDumps;
import java.time.Duration;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Queues of virtual threads in dumps of another JVM. */
class VirtualLinesTest {

    private static final String CALLER = """
            {"tid": "99", "virtual": true, "name": "caller", "state": "WAITING",
             "stack": ["java.base/java.lang.VirtualThread.park(VirtualThread.java:742)",
             "com.example.Http.get(Http.java:7)", "com.example.Orders.load(Orders.java:43)",
             "java.base/java.lang.VirtualThread.run(VirtualThread.java:460)"]}""";

    private final VirtualLines lines = new VirtualLines();

    private static String thread(int id, String blocker, String wait) {
        return """
                {"tid": "%d", "virtual": true, "name": "", "state": "WAITING", "parkBlocker": {"object": "%s"},
                 "stack": ["java.base/java.lang.VirtualThread.park(VirtualThread.java:742)",
                 "java.base/java.util.concurrent.locks.LockSupport.park(LockSupport.java:221)", "%s",
                 "com.example.Orders.load(Orders.java:42)",
                 "java.base/java.lang.VirtualThread.run(VirtualThread.java:460)"]}""".formatted(id, blocker, wait);
    }

    private static ThreadDump dump(int count, String blocker, String wait) {
        String threads = IntStream.range(0, count)
                .mapToObj(id -> thread(id, blocker, wait))
                .collect(Collectors.joining(","));
        return parse(threads);
    }

    private static ThreadDump parse(String threads) {
        return ThreadDumps.parse("x", "{\"threadDump\": {\"threadContainers\": [{\"threads\": [" + threads + "]}]}}")
                .dumps()
                .get(0);
    }

    @Test
    void waiting_sameSemaphoreInTwoDumps_isAQueueOfTheFewest() {
        String wait = "java.base/java.util.concurrent.Semaphore.acquire(Semaphore.java:318)";
        lines.see(dump(40, "java.util.concurrent.Semaphore$NonfairSync@1a", wait), 0);
        assertThat(lines.waiting()).allMatch(line -> line.waiting() == 0);
        lines.see(dump(30, "java.util.concurrent.Semaphore$NonfairSync@1a", wait), 2_000_000_000L);
        WaitingThreads line = lines.waiting().get(0);
        assertThat(line.kind()).isEqualTo(Kind.PERMIT);
        assertThat(line.object()).isEqualTo("java.util.concurrent.Semaphore@1a");
        assertThat(line.waiting()).isEqualTo(30);
        assertThat(line.place()).isEqualTo("com.example.Orders.load(Orders.java:42)");
        assertThat(line.waitTime()).isEqualTo(Duration.ofSeconds(2));
    }

    /** On a full machine no second dump may come in time. That is no reason to say that all is well. */
    @Test
    void unnamed_queueInTheLatestDumpOnly_isTold() {
        String semaphore = "java.util.concurrent.Semaphore$NonfairSync@1a";
        String wait = "java.base/java.util.concurrent.Semaphore.acquire(Semaphore.java:318)";
        lines.see(dump(40, semaphore, wait), 0);
        assertThat(lines.unnamed().orElse(""))
                .startsWith("40 virtual threads wait for java.util.concurrent.Semaphore@1a");
        lines.see(dump(40, semaphore, wait), 2_000_000_000L);
        assertThat(lines.unnamed()).as("a queue that is found").isEmpty();
        lines.see(dump(10, semaphore, wait), 4_000_000_000L);
        assertThat(lines.unnamed()).as("it has drained").isEmpty();
    }

    private static ThreadDump from(int first, int end, String wait) {
        return parse(IntStream.range(first, end)
                .mapToObj(id -> thread(id, "java.util.concurrent.Semaphore$NonfairSync@1a", wait))
                .collect(Collectors.joining(",")));
    }

    /** Permits were lost one by one: those that waited first still wait, and more come. */
    @Test
    void stopped_noneOfThoseThatWaitedHasGoneOn_saysForHowLongAndHowManyMoreCame() {
        String wait = "java.base/java.util.concurrent.Semaphore.acquire(Semaphore.java:318)";
        lines.see(from(0, 30, wait), 0);
        lines.see(from(0, 60, wait), 2_000_000_000L);
        assertThat(lines.standStill()).as("after two seconds").isFalse();
        lines.see(from(0, 100, wait), 4_500_000_000L);
        assertThat(lines.standStill()).isTrue();

        assertThat(lines.waiting().get(0).stopped()).hasValue(new WaitingThreads.Stopped(Duration.ofMillis(4_500), 70));
        assertThat(lines.unnamed())
                .hasValueSatisfying(text -> assertThat(text)
                        .startsWith("100 virtual threads wait for java.util.concurrent.Semaphore@1a at com.example")
                        .contains("none has gone on for 4.5 s"));

        lines.see(from(1, 130, wait), 6_000_000_000L);
        assertThat(lines.standStill()).as("one has gone on").isFalse();
        assertThat(lines.waiting().get(0).stopped()).as("one has gone on").isEmpty();
        assertThat(lines.unnamed()).isEmpty();
    }

    /** A full queue is told only while it stands, and who waits for a limited time goes on without it. */
    @Test
    void stopped_roomOrResults_areToldUnlessTheWaitIsLimited() {
        String put = "java.base/java.util.concurrent.ArrayBlockingQueue.put(ArrayBlockingQueue.java:370)";
        lines.see(from(0, 30, put), 0);
        assertThat(lines.waiting()).isEmpty();
        lines.see(from(0, 60, put), 2_000_000_000L);
        assertThat(lines.waiting()).extracting(WaitingThreads::kind).containsExactly(Kind.ROOM);

        VirtualLines limited = new VirtualLines();
        String poll = "java.base/java.util.concurrent.locks.LockSupport.parkNanos(LockSupport.java:269)\", \""
                + "java.base/java.util.concurrent.CompletableFuture.get(CompletableFuture.java:2093)";
        limited.see(from(0, 30, poll), 0);
        limited.see(from(0, 60, poll), 2_000_000_000L);
        assertThat(limited.waiting()).isEmpty();
    }

    /** As at a queue of connections, or at a peer that does not answer. It may be consumers, so no finding is made. */
    @Test
    void unnamed_moreAndMoreWaitForAnElementOrAnAnswer_saysSoOnlyThere() {
        assertThat(unnamedOf("java.util.concurrent.ArrayBlockingQueue.take(ArrayBlockingQueue.java:420)"))
                .contains("60 virtual threads wait for an element of a java.util.concurrent.ArrayBlockingQueue at")
                .endsWith("none has gone on for 1 s: dead, or waiting for messages");
        assertThat(unnamedOf("sun.nio.ch.NioSocketImpl.park(NioSocketImpl.java:175)"))
                .contains("60 virtual threads wait for an answer from outside at com.example.Orders.load");
        assertThat(unnamedOf("java.lang.Object.wait(Object.java:366)\", \"java.lang.Object.wait(Object.java:339)"))
                .contains("wait for a notification at");
        assertThat(unnamedOf("java.lang.Object.wait(Object.java:366)"))
                .as("for a limited time")
                .isEmpty();
    }

    private static String unnamedOf(String wait) {
        VirtualLines seen = new VirtualLines();
        seen.see(dump(30, "com.example.Thing@1", "java.base/" + wait), 0);
        seen.see(dump(60, "com.example.Thing@1", "java.base/" + wait), 1_000_000_000L);
        assertThat(seen.waiting()).isEmpty();
        return seen.unnamed().orElse("");
    }

    private static String result(String method) {
        return """
                {"tid": "5", "virtual": true, "name": "", "state": "WAITING",
                 "parkBlocker": {"object": "java.util.concurrent.FutureTask@5"},
                 "stack": ["java.base/java.lang.VirtualThread.park(VirtualThread.java:742)",
                 "java.base/java.util.concurrent.locks.LockSupport.park(LockSupport.java:221)",
                 "java.base/java.util.concurrent.FutureTask.awaitDone(FutureTask.java:497)",
                 "java.base/java.util.concurrent.FutureTask.get(FutureTask.java:190)",
                 "com.example.%s(Orders.java:50)",
                 "java.base/java.lang.VirtualThread.run(VirtualThread.java:460)"]}""".formatted(method);
    }

    /** They are not served meanwhile, unless they have taken a permit where the others wait for one. */
    @Test
    void elsewhere_othersWaitForResults_areThoseThatMayHaveAPermit() {
        String semaphore = "java.util.concurrent.Semaphore$NonfairSync@1a";
        String wait = "java.base/java.util.concurrent.Semaphore.acquire(Semaphore.java:318)";
        lines.see(
                parse(String.join(
                        ",",
                        thread(1, semaphore, wait),
                        thread(2, semaphore, wait),
                        CALLER,
                        result("Web.handle"),
                        result("Web.handle"),
                        result("Orders.load"))),
                0);
        assertThat(lines.waiting())
                .singleElement()
                .satisfies(line -> assertThat(line.elsewhere()).isEqualTo(2));
    }

    /** Threads that wait for messages: thousands of them are normal. */
    @Test
    void waiting_threadsThatWaitForMessages_areNone() {
        String blocker = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject@2b";
        String wait = "java.base/java.util.concurrent.LinkedBlockingQueue.take(LinkedBlockingQueue.java:435)";
        lines.see(dump(100, blocker, wait), 0);
        lines.see(dump(100, blocker, wait), 2_000_000_000L);
        assertThat(lines.waiting()).isEmpty();
    }

    /** Ten threads may have permits, of which one is behind the line that takes them. */
    @Test
    void waiting_oneThreadIsBehindTheLine_holdsALockButNoPermit() {
        assertThat(holder(
                        "java.util.concurrent.Semaphore$NonfairSync@1a",
                        "java.base/java.util.concurrent.Semaphore.acquire(Semaphore.java:318)"))
                .isEmpty();
        assertThat(holder(
                        "java.util.concurrent.locks.ReentrantLock$NonfairSync@1a",
                        "java.base/java.util.concurrent.locks.ReentrantLock.lock(ReentrantLock.java:322)"))
                .isEqualTo("\"caller\" at com.example.Http.get(Http.java:7) (by its stack)");
    }

    private static String atBins(int threads, IntUnaryOperator binOfThread) {
        return IntStream.range(0, threads)
                .mapToObj(id -> """
                        {"tid": "%d", "virtual": true, "name": "", "state": "BLOCKED",
                         "blockedOn": "java.util.concurrent.ConcurrentHashMap$Node@%d",
                         "stack": ["java.base/java.util.concurrent.ConcurrentHashMap.compute(ConcurrentHashMap.java:1)",
                         "com.example.Orders.load(Orders.java:42)",
                         "java.base/java.lang.VirtualThread.run(VirtualThread.java:460)"]}""".formatted(id, binOfThread.applyAsInt(id)))
                .collect(Collectors.joining(","));
    }

    /** A cache whose keys are times: most wait for the latest key, and some for the one before. */
    @Test
    void waiting_mostWaitForOneBin_namesItsHolder() {
        String owner = CALLER.replace("\"stack\"", """
                "monitorsOwned": [{"depth": 2, "locks": ["java.util.concurrent.ConcurrentHashMap$Node@7"]}], "stack\"""");
        lines.see(parse(atBins(20, id -> id < 15 ? 7 : 8) + "," + owner), 0);
        assertThat(lines.waiting()).singleElement().satisfies(line -> {
            assertThat(line.object()).endsWith("a bin of a ConcurrentHashMap");
            assertThat(line.holder()).isEqualTo("\"caller\" at com.example.Http.get(Http.java:7)");
        });
    }

    /** Each bin of a map is locked by itself. */
    @Test
    void waiting_manyBinsOfAMap_haveNoHolder() {
        lines.see(parse(atBins(20, id -> id) + "," + CALLER), 0);
        assertThat(lines.waiting()).singleElement().satisfies(line -> {
            assertThat(line.object()).endsWith("a bin of a ConcurrentHashMap");
            assertThat(line.holder()).isEmpty();
        });
    }

    private String holder(String blocker, String wait) {
        lines.see(parse(thread(1, blocker, wait) + "," + thread(2, blocker, wait) + "," + CALLER), 0);
        return lines.waiting().get(0).holder();
    }

    /** Since JDK 25 a dump says who owns a lock. */
    @Test
    void waiting_dumpNamesTheOwner_namesHolderWithItsLine() {
        String lock = "java.util.concurrent.locks.ReentrantLock$NonfairSync@3c";
        String waiters = IntStream.range(0, 20)
                .mapToObj(id -> thread(id, lock, "java.base/java.util.concurrent.locks.ReentrantLock.lock(X.java:3)"))
                .collect(Collectors.joining(","))
                .replace("\"" + lock + "\"", "\"" + lock + "\", \"owner\": \"77\"");
        String owner = """
                {"tid": "77", "virtual": true, "name": "payer", "state": "RUNNABLE", "stack": [
                 "com.example.Orders.pay(Orders.java:50)",
                 "java.base/java.lang.VirtualThread.run(VirtualThread.java:460)"]}""";
        ThreadDump dump = parse(waiters + "," + owner);
        lines.see(dump, 0);
        lines.see(dump, 1_000_000_000L);
        assertThat(lines.waiting())
                .singleElement()
                .satisfies(line -> assertThat(line.kind()).isEqualTo(Kind.LOCK))
                .satisfies(line ->
                        assertThat(line.holder()).isEqualTo("\"payer\" at com.example.Orders.pay(Orders.java:50)"));
    }

    /** Java 21 names neither the lock nor its holder. */
    @Test
    void unnamed_sameThreadWaitsForALockTwice_isTold() {
        String wait = "java.base/java.util.concurrent.locks.ReentrantLock.lock(ReentrantLock.java:322)";
        String thread = thread(7, "java.util.concurrent.locks.ReentrantLock$NonfairSync@1a", wait);
        lines.see(parse(thread.replace("\"name\": \"\"", "\"name\": \"handler-7\"")), 0);
        assertThat(lines.unnamed()).isEmpty();
        lines.see(parse(thread.replace("\"name\": \"\"", "\"name\": \"handler-8\"")), 2_000_000_000L);
        assertThat(lines.unnamed()).isEmpty();
        lines.see(parse(thread.replace("\"name\": \"\"", "\"name\": \"handler-8\"")), 4_000_000_000L);
        assertThat(lines.unnamed().orElse("")).contains("handler-8", "Orders.load(Orders.java:42)");
    }
}
