package io.lifeguard.pool.diagnosis.evidence.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.diagnosis.evidence.stack.ThreadLook;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The JVM's dump in JSON is read. The text is that of Java 25, shortened. */
class MonitorOwnersTest {

    private static final String DUMP = """
                      {
                        "tid": "22",
                        "virtual": true,
                        "name": "v1",
                        "state": "BLOCKED",
                        "blockedOn": "java.lang.Object@133314b",
                        "stack": [
                          "com.example.Bank.move(Bank.java:4)"
                        ],
                        "monitorsOwned": [
                          {
                            "depth": 0,
                            "locks": [
                              "java.lang.Object@b1bc7ed"
                            ]
                          }
                        ]
                      },
                      {
                        "tid": "24",
                        "parkBlocker": {
                          "object": "java.util.concurrent.locks.ReentrantLock$NonfairSync@7cd84586"
                        },
                        "monitorsOwned": [
                          {
                            "depth": 0,
                            "locks": [
                              "java.lang.Object@133314b",
                              "com.example.Other@2"
                            ]
                          }
                        ]
                      }
            """;

    private final MonitorOwners owners = new MonitorOwners();

    @Test
    void read_blockedThread_namesMonitorAndHolder() {
        owners.read(DUMP.lines().iterator());
        assertThat(owners.whatBlocks(22)).isEqualTo("java.lang.Object@133314b");
        assertThat(owners.holderOfWhatBlocks(22)).hasValue(24);
    }

    @Test
    void read_holderWithAStack_namesItsLine() {
        String dump = """
                  "tid": "31",
                  "stack": [
                    "java.base\\/java.lang.VirtualThread.park(VirtualThread.java:742)",
                    "com.example.Shop$$Lambda\\/0x000000003405f788.get(Unknown Source)",
                    "com.example.Bank.pay(Bank.java:9)"
                  ],
                  "monitorsOwned": [
                    "java.lang.Object@133314b"
                """;
        owners.read(dump.lines().iterator());
        assertThat(owners.placeOf(31)).isEqualTo("com.example.Bank.pay(Bank.java:9)");
        assertThat(owners.placeOf(24)).isEmpty();
    }

    @Test
    void read_lineBeyondAllNumbers_isNoLine() {
        String dump = """
                  "tid": "31",
                  "stack": [
                    "com.example.Bank.pay(a:99999999999)"
                  ],
                  "monitorsOwned": [
                    "java.lang.Object@133314b"
                """;
        owners.read(dump.lines().iterator());
        assertThat(owners.placeOf(31)).isEqualTo("com.example.Bank.pay(a)");
    }

    @Test
    void read_threadThatIsNotBlocked_waitsForNoMonitor() {
        owners.read(DUMP.lines().iterator());
        assertThat(owners.whatBlocks(24)).isEmpty();
        assertThat(owners.holderOfWhatBlocks(24)).isEmpty();
        owners.forget();
        assertThat(owners.holderOfWhatBlocks(22)).isEmpty();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_25)
    void read_dumpIsTooLarge_isNotReadAndNotTakenAgain() throws Exception {
        Object lock = new Object();
        synchronized (lock) {
            Thread blocked = new Thread(() -> {
                synchronized (lock) {
                    lock.notifyAll();
                }
            });
            blocked.start();
            await().until(() -> blocked.getState() == Thread.State.BLOCKED);
            owners.read();
            assertThat(owners.whatBlocks(ThreadLook.id(blocked))).isNotEmpty();
            MonitorOwners small = new MonitorOwners(100);
            small.read();
            assertThat(small.whatBlocks(ThreadLook.id(blocked))).isEmpty();
            MonitorOwners large = new MonitorOwners(Long.MAX_VALUE);
            large.read();
            large.read();
            assertThat(large.whatBlocks(ThreadLook.id(blocked))).isNotEmpty();
        }
    }
}
