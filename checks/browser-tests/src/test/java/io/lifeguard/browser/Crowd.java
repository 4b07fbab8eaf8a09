package io.lifeguard.browser;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.workbench.Hashing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;

/**
 * Records a pool whose tasks compute for 1.5 ms and wait for 12 ms. Two CPUs are full with 18 workers, so most of 100
 * workers wait for a CPU.
 */
final class Crowd {

    private static final long COMPUTE_NANOS = 1_500_000;
    private static final int WAIT_MILLIS = 12;

    private Crowd() {}

    /** Records a pool of so many workers from its start. */
    static void record(int workers, Duration length, Path file) throws IOException, InterruptedException {
        String name = Thread.currentThread().getName();
        Thread.currentThread().setName("dispatcher");
        try (Recording recording = new Recording()) {
            recording.start();
            InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("checksums")
                    .size(workers)
                    .build();
            try {
                long end = System.nanoTime() + length.toNanos();
                while (System.nanoTime() < end) {
                    pool.execute(Crowd::work); // waits while the pool is full
                }
            } finally {
                recording.dump(file);
                pool.shutdownNow();
                pool.awaitTermination(1, TimeUnit.MINUTES);
            }
        } finally {
            Thread.currentThread().setName(name);
        }
    }

    /** Uses so much CPU time, however fast the compiler has made the hashing. */
    private static void compute() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + COMPUTE_NANOS;
        while (threads.getCurrentThreadCpuTime() < end) {
            Hashing.micros(20);
        }
    }

    private static void work() {
        compute();
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            socket.setSoTimeout(WAIT_MILLIS);
            socket.receive(new DatagramPacket(new byte[1], 1));
        } catch (SocketTimeoutException ignored) {
            // nobody sends a packet: a call to another machine takes as long
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
