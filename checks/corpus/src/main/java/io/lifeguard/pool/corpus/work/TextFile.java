package io.lifeguard.pool.corpus.work;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A file of some megabytes, which is soon in the page cache. Reading it costs CPU in the kernel and hardly any waiting.
 * It is deleted with the temporary files of its JVM. Thread-safe.
 */
public final class TextFile {

    private static final int BLOCK = 64 * 1024;
    private static final int BLOCKS = 256;
    private static final ThreadLocal<byte[]> BUFFER = ThreadLocal.withInitial(() -> new byte[BLOCK]);

    private final Path file;

    private TextFile(Path file) {
        this.file = file;
    }

    /** Writes a new file. */
    public static TextFile create() {
        try {
            Path file = Files.createTempFile("lifeguard-corpus", ".dat");
            byte[] block = new byte[BLOCK];
            ThreadLocalRandom.current().nextBytes(block);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                for (int i = 0; i < BLOCKS; i++) {
                    channel.write(ByteBuffer.wrap(block));
                }
            }
            return new TextFile(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write a temporary file", e);
        }
    }

    /** Opens the file, reads so many blocks of 64 KiB at random places, and closes it. */
    public int read(int blocks) {
        byte[] buffer = BUFFER.get();
        int sum = 0;
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
            for (int i = 0; i < blocks; i++) {
                open.seek((long) ThreadLocalRandom.current().nextInt(BLOCKS) * BLOCK);
                open.readFully(buffer);
                sum += buffer[0];
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
        return sum;
    }
}
