package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.WaitingThreads;
import io.lifeguard.pool.diagnosis.window.WaitingThreads.Kind;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.dumps.ThreadDumps;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Queues of virtual threads in dumps of another JVM. */
class VirtualLinesTest {

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

    /** Threads that wait for messages: thousands of them are normal. */
    @Test
    void waiting_threadsThatWaitForMessages_areNone() {
        String blocker = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject@2b";
        String wait = "java.base/java.util.concurrent.LinkedBlockingQueue.take(LinkedBlockingQueue.java:435)";
        lines.see(dump(100, blocker, wait), 0);
        lines.see(dump(100, blocker, wait), 2_000_000_000L);
        assertThat(lines.waiting()).isEmpty();
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
        String text = "{\"threadDump\": {\"threadContainers\": [{\"threads\": [" + waiters + "," + owner + "]}]}}";
        ThreadDump dump = ThreadDumps.parse("x", text).dumps().get(0);
        lines.see(dump, 0);
        lines.see(dump, 1_000_000_000L);
        assertThat(lines.waiting())
                .singleElement()
                .satisfies(line -> assertThat(line.kind()).isEqualTo(Kind.LOCK))
                .satisfies(line ->
                        assertThat(line.holder()).isEqualTo("\"payer\" at com.example.Orders.pay(Orders.java:50)"));
    }
}
