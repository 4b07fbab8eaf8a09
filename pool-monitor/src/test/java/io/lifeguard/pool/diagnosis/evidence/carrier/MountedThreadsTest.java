package io.lifeguard.pool.diagnosis.evidence.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Mounted;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Why;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the JVM prints of its threads is read. The prints are those of Java 25, shortened. */
class MountedThreadsTest {

    private static final String CARRIER = """
            "ForkJoinPool-1-worker-%d" #23 [21912] daemon prio=5 os_prio=0 cpu=0.93ms elapsed=1.66s tid=0x00007f22
               Carrying virtual thread #22
            	at jdk.internal.vm.Continuation.run(java.base@25.0.3/Continuation.java:251)
            	at java.util.concurrent.ForkJoinPool.runWorker(java.base@25.0.3/ForkJoinPool.java:2019)
               Mounted virtual thread #22
            %s
            	at java.lang.VirtualThread.run(java.base@25.0.3/VirtualThread.java:460)

            "VM Thread" os_prio=0 cpu=0.49ms elapsed=1.68s tid=0x00007f22280b01f0 nid=21901 runnable

            """;

    private static Mounted read(String frames) {
        List<Mounted> mounted = MountedThreads.read("Full thread dump\n\n" + CARRIER.formatted(1, frames));
        assertThat(mounted).hasSize(1);
        assertThat(mounted.get(0).carrier()).isEqualTo("ForkJoinPool-1-worker-1");
        return mounted.get(0);
    }

    @Test
    void read_threadInItsOwnCode_computes() {
        Mounted one = read(
                "\tat com.example.Hashes.hash(Hashes.java:31)\n\tat com.example.Hashes.lambda$run$0(Hashes.java:9)");
        assertThat(one.why()).isEqualTo(Why.COMPUTES);
        assertThat(one.place()).isEqualTo("com.example.Hashes.hash(Hashes.java:31)");
        assertThat(one.stack()).hasSize(3);
    }

    @Test
    void read_waitForAClassInitialiser_namesTheClass() {
        Mounted one = read("\tat com.example.Orders.load(Orders.java:4)\n"
                + "\t- waiting on the Class initialization monitor for com.example.Rates");
        assertThat(one.why()).isEqualTo(Why.CLASS_INITIALISATION);
        assertThat(one.object()).isEqualTo("com.example.Rates");
    }

    @Test
    void read_waitInAClassInitialiser_namesTheClass() {
        Mounted one = read("\tat jdk.internal.misc.Unsafe.park(java.base@25.0.3/Native Method)\n"
                + "\tat java.lang.VirtualThread.parkOnCarrierThread(java.base@25.0.3/VirtualThread.java:819)\n"
                + "\tat java.lang.Thread.sleep(java.base@25.0.3/Thread.java:540)\n"
                + "\tat com.example.Rates.<clinit>(Rates.java:12)\n"
                + "\tat com.example.Orders.load(Orders.java:4)");
        assertThat(one.why()).isEqualTo(Why.CLASS_INITIALISATION);
        assertThat(one.object()).isEqualTo("com.example.Rates");
        assertThat(one.place()).isEqualTo("com.example.Rates.<clinit>(Rates.java:12)");
    }

    /** The user's line is that of the initialiser, not of the library that it calls. */
    @Test
    void read_initialiserCallsAClient_placeIsInTheInitialiser() {
        Mounted one = read("\tat java.lang.VirtualThread.parkOnCarrierThread(java.base@25.0.3/VirtualThread.java:819)\n"
                + "\tat com.example.client.Http.get(Http.java:77)\n"
                + "\tat com.example.Rates.<clinit>(Rates.java:12)\n"
                + "\tat com.example.Orders.load(Orders.java:4)");
        assertThat(one.place()).isEqualTo("com.example.Rates.<clinit>(Rates.java:12)");
    }

    /** Its class has a slash in the name, as modules have behind theirs. */
    @Test
    void read_lambdaOnTop_placeIsTheFrameBelow() {
        Mounted one = read("\tat com.example.Shop$$Lambda/0x000000003405f788.get(Unknown Source)\n"
                + "\t- waiting on the Class initialization monitor for com.example.Rates\n"
                + "\tat com.example.Orders.load(Orders.java:4)");
        assertThat(one.place()).isEqualTo("com.example.Orders.load(Orders.java:4)");
    }

    @Test
    void read_waitForAMonitor_namesItsClass() {
        Mounted one = read("\tat com.example.Store.put(Store.java:8)\n"
                + "\t- waiting to lock <0x000000070ff1a2b8> (a com.example.Store)");
        assertThat(one.why()).isEqualTo(Why.MONITOR);
        assertThat(one.object()).isEqualTo("com.example.Store");
    }

    @Test
    void read_waitBelowANativeMethod_isNative() {
        Mounted one = read("\tat jdk.internal.misc.Unsafe.park(java.base@25.0.3/Native Method)\n"
                + "\tat java.lang.VirtualThread.parkOnCarrierThread(java.base@25.0.3/VirtualThread.java:819)\n"
                + "\tat com.example.Upcall.call(Upcall.java:7)");
        assertThat(one.why()).isEqualTo(Why.NATIVE);
    }

    /** A driver's method may wait. One of the JDK that is not for the network or files computes. */
    @Test
    void read_nativeMethodOnTop_isNativeUnlessTheJdkComputes() {
        assertThat(read("\tat org.sqlite.core.NativeDB.step(Native Method)\n\tat com.example.Ledger.write(L.java:3)")
                        .why())
                .isEqualTo(Why.NATIVE);
        assertThat(read("\tat java.util.zip.Deflater.deflateBytesBytes(java.base@25.0.3/Native Method)\n"
                                + "\tat com.example.Archive.write(Archive.java:3)")
                        .why())
                .isEqualTo(Why.COMPUTES);
    }

    @Test
    void read_carriersWithoutAThread_areLeftOut() {
        assertThat(MountedThreads.read("\"ForkJoinPool-1-worker-1\" #23 [1] daemon prio=5\n"
                        + "\tat jdk.internal.misc.Unsafe.park(java.base@25.0.3/Native Method)\n\n"))
                .isEmpty();
        assertThat(MountedThreads.read("")).isEmpty();
    }

    @Test
    void read_twoCarriers_bothAreRead() {
        String print = CARRIER.formatted(1, "\tat a.B.c(B.java:1)") + CARRIER.formatted(2, "\tat a.B.d(B.java:2)");
        assertThat(MountedThreads.read(print))
                .extracting(Mounted::place)
                .containsExactly("a.B.c(B.java:1)", "a.B.d(B.java:2)");
    }
}
