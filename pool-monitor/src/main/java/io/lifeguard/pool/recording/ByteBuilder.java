package io.lifeguard.pool.recording;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array of bytes with the number formats of flight recordings. Not thread-safe. */
final class ByteBuilder {

    static final int EMPTY = 1; // the encoding of a text
    static final int FROM_POOL = 2;
    private static final int UTF_8 = 3;

    static final int SIZE_BYTES = 4;

    private byte[] bytes = new byte[256];
    private int length;

    int length() {
        return length;
    }

    void clear() {
        length = 0;
    }

    void trim() {
        bytes = toArray();
    }

    byte[] toArray() {
        return Arrays.copyOf(bytes, length);
    }

    private void ensure(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }

    void octet(int value) {
        ensure(1);
        bytes[length++] = (byte) value;
    }

    void flag(boolean value) {
        octet(value ? 1 : 0);
    }

    void bigEndian(long value, int size) {
        ensure(size);
        for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) {
            bytes[length++] = (byte) (value >>> shift);
        }
    }

    void real(double value) {
        bigEndian(Double.doubleToLongBits(value), Double.BYTES);
    }

    /** Seven bits per byte, lowest first; the ninth byte holds eight bits. */
    void compressed(long value) {
        ensure(9);
        long rest = value;
        for (int i = 0; i < 8; i++) {
            if (rest >>> 7 == 0) {
                bytes[length++] = (byte) rest;
                return;
            }
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    void compressed(int value) {
        compressed(value & 0xFFFF_FFFFL);
    }

    void text(String value) {
        if (value.isEmpty()) {
            octet(EMPTY);
            return;
        }
        byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
        octet(UTF_8);
        compressed(encoded.length);
        append(encoded, encoded.length);
    }

    /** A text that is in the chunk's pool of texts. */
    void pooledText(long key) {
        octet(FROM_POOL);
        compressed(key);
    }

    /** Adds what another builder holds, preceded by its size, which counts the bytes of the size too. */
    void sized(ByteBuilder content) {
        int total = content.length + SIZE_BYTES;
        for (int i = 0; i < SIZE_BYTES; i++) {
            octet(((total >>> (7 * i)) & 0x7F) | (i < SIZE_BYTES - 1 ? 0x80 : 0));
        }
        append(content);
    }

    /** Adds what another builder holds. */
    void append(ByteBuilder other) {
        append(other.bytes, other.length);
    }

    private void append(byte[] other, int count) {
        ensure(count);
        System.arraycopy(other, 0, bytes, length, count);
        length += count;
    }
}
