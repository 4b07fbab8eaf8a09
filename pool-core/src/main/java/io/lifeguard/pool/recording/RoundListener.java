package io.lifeguard.pool.recording;

/** Is told by the global monitor that a window has ended. Found by {@link java.util.ServiceLoader}. */
public interface RoundListener {

    /** A window of all pools has ended. Called by the monitor's thread, so be quick. */
    void roundEnded();
}
