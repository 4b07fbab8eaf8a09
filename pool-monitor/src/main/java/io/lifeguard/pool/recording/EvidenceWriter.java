package io.lifeguard.pool.recording;

import io.lifeguard.pool.recording.Observation.WindowEvidence;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.zip.Deflater;

/**
 * Makes the evidence of windows small enough to be recorded. Confined to the monitor's thread.
 *
 * <p>A window is written as JSON and compressed by {@link Deflater}. Most of a window is as in the window before. So
 * one window in ten is complete, and the others have the text of the latest complete one as their dictionary.
 */
public final class EvidenceWriter {

    /** A recording that loses its beginning can be read again after at most so many windows of a pool. */
    private static final int WINDOWS_PER_COMPLETE_ONE = 10;

    private final Map<String, Base> bases = new HashMap<>(); // by pool
    private long number;

    /** Makes a writer whose first windows are complete. */
    public EvidenceWriter() {}

    /** Makes the next window of each pool complete, because a recording has begun. */
    public void restart() {
        bases.clear();
    }

    /**
     * {@return the evidence of a window}
     *
     * @param nowNanos now, in nanoseconds since 1970
     */
    public WindowEvidence write(JudgedWindow window, long nowNanos) {
        String pool = window.after().name();
        byte[] text = RecordText.write(window).getBytes(StandardCharsets.UTF_8);
        long own = ++number;
        Base base = bases.get(pool);
        if (base == null || --base.left <= 0) {
            bases.put(pool, new Base(own, text));
            return new WindowEvidence(nowNanos, pool, own, OptionalLong.empty(), packed(text, new byte[0]));
        }
        return new WindowEvidence(nowNanos, pool, own, OptionalLong.of(base.number), packed(text, base.text));
    }

    /**
     * {@return the evidence that a pool is no longer watched}
     *
     * @param nowNanos now, in nanoseconds since 1970
     */
    public WindowEvidence end(String pool, long nowNanos) {
        bases.remove(pool);
        return new WindowEvidence(nowNanos, pool, ++number, OptionalLong.empty(), "");
    }

    private static String packed(byte[] text, byte[] dictionary) {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try {
            deflater.setDictionary(dictionary);
            deflater.setInput(text);
            deflater.finish();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[4096];
            while (!deflater.finished()) {
                out.write(buffer, 0, deflater.deflate(buffer));
            }
            return Base64.getEncoder().withoutPadding().encodeToString(out.toByteArray());
        } finally {
            deflater.end();
        }
    }

    /** The latest complete window of a pool. */
    private static final class Base {
        private final long number;
        private final byte[] text;
        private int left = WINDOWS_PER_COMPLETE_ONE;

        Base(long number, byte[] text) {
            this.number = number;
            this.text = text;
        }
    }
}
