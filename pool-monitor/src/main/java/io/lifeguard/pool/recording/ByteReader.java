package io.lifeguard.pool.recording;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads what a {@link ByteBuilder} has written. Not thread-safe. */
final class ByteReader {

    private final byte[] bytes;
    private final long firstKey;
    private final List<String> pool;
    private int position;

    /**
     * A reader at the beginning.
     *
     * @param bytes what is read; never changed
     * @param firstKey the key of the first text in the pool
     * @param pool the texts that are stored once
     */
    ByteReader(byte[] bytes, long firstKey, List<String> pool) {
        this.bytes = bytes;
        this.firstKey = firstKey;
        this.pool = pool;
    }

    boolean hasMore() {
        return position < bytes.length;
    }

    int position() {
        return position;
    }

    /** Goes on reading at a {@link #position()}. */
    void moveTo(int place) {
        position = place;
    }

    private int octet() {
        return bytes[position++] & 0xFF;
    }

    boolean flag() {
        return octet() != 0;
    }

    double real() {
        long bits = 0;
        for (int i = 0; i < Double.BYTES; i++) {
            bits = bits << 8 | octet();
        }
        return Double.longBitsToDouble(bits);
    }

    long compressed() {
        long value = 0;
        for (int shift = 0; shift < 56; shift += 7) {
            int next = octet();
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        return value | (long) octet() << 56;
    }

    String text() {
        int encoding = octet();
        if (encoding == ByteBuilder.EMPTY) {
            return "";
        } else if (encoding == ByteBuilder.FROM_POOL) {
            return pool.get(Math.toIntExact(compressed() - firstKey));
        }
        int length = Math.toIntExact(compressed());
        String text = new String(bytes, position, length, StandardCharsets.UTF_8);
        position += length;
        return text;
    }
}
