package io.lifeguard.pool.corpus.work;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.Deflater;

/** CPU work with memory traffic and some garbage: compression of generated text. Stateless. */
public final class Compressing {

    private static final byte[] TEXT = text(64 * 1024);

    private Compressing() {}

    /**
     * Compresses some text.
     *
     * @param bytes how much text, at most 64 KiB
     * @return the size of the result in bytes
     */
    public static int deflate(int bytes) {
        Deflater deflater = new Deflater(6);
        try {
            deflater.setInput(TEXT, 0, Math.min(bytes, TEXT.length));
            deflater.finish();
            byte[] out = new byte[8 * 1024];
            int size = 0;
            while (!deflater.finished()) {
                size += deflater.deflate(out);
            }
            return size;
        } finally {
            deflater.end();
        }
    }

    private static byte[] text(int bytes) {
        Random random = new Random(42);
        StringBuilder text = new StringBuilder(bytes + 16);
        while (text.length() < bytes) {
            text.append("order ")
                    .append(random.nextInt(10_000))
                    .append(" of ")
                    .append(random.nextInt(300))
                    .append("; ");
        }
        return text.substring(0, bytes).getBytes(StandardCharsets.US_ASCII);
    }
}
