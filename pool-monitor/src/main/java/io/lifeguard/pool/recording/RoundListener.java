package io.lifeguard.pool.recording;

import java.util.function.BiConsumer;

/**
 * Receives a call of the global monitor when a window has ended, and when the monitor's thread ends. Found by
 * {@link java.util.ServiceLoader} once there is a server of MBeans, or once {@link #PROPERTY} is set: the search reads
 * all jars. Not called by two threads at the same time.
 */
public interface RoundListener {

    /** The system property that says whether to register MBeans: {@code on}, {@code off} or {@code auto}. */
    String PROPERTY = "lifeguard.jmx";

    /**
     * A window of all pools has ended. Called by the monitor's thread, so be quick.
     *
     * @param log writes a line to the monitor's log, without waiting for it. A logger of your own might wait forever,
     *     and with it the monitor
     */
    void roundEnded(BiConsumer<System.Logger.Level, String> log);

    /**
     * The monitor's thread ends, because it was closed, or has nothing to watch, or the application was stopped. Gives
     * up whatever would keep the library reachable. {@link #roundEnded} may be called again later. The class loader may
     * be closed, so use no class of the library that {@link #roundEnded} has not used.
     */
    void watchEnded();
}
