package io.lifeguard.pool.diagnosis.evidence.cpu;

import io.lifeguard.pool.diagnosis.system.ThreadReader;
import io.lifeguard.pool.diagnosis.system.ThreadReading;
import io.lifeguard.pool.os.NativeThread;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Tells whether a thread gets too little CPU time to start a monitor soon. Stateless. */
public final class CpuShortage {

    /** A thread that waits for a CPU for twice as long as it has one gets a third of a core or less. */
    private static final int SHORT_OF_CPU = 2;

    /** 20 ms: a shorter wait is that of a scheduler that gives several threads some milliseconds in turn. */
    private static final long LEAST_WAIT = TimeUnit.MILLISECONDS.toNanos(20);

    private CpuShortage() {}

    /** {@return whether the calling thread has been short of CPU since it began; false if the system does not tell} */
    public static boolean isOfCaller(ThreadReader threads) {
        return isShort(threads.read(NativeThread.currentId()));
    }

    static boolean isShort(@Nullable ThreadReading times) {
        return times != null
                && times.runQueueNanos() >= LEAST_WAIT
                && times.runQueueNanos() >= SHORT_OF_CPU * times.cpuNanos();
    }
}
