package io.lifeguard.pool.os;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Whether the JVM has memory and file descriptors for a start of the watch, and for how long it has not. Confined to
 * the thread that starts it.
 *
 * <p>A class whose static initialiser fails for want of memory fails forever, a class that was not found is never found
 * by the same caller, and a class loader forgets a jar that it could not open. So nothing new must be touched in a
 * shortage, the log neither.
 */
public final class Room {

    /** What a start needs at most. */
    private static final int BYTES = 2 << 20;

    /** Files of the JDK and of the system that are open at a time. */
    private static final int FILES = 16;

    private static final int GARBAGE_BYTES = 1 << 10;
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    // Made beforehand, because there may be no memory for it when it is needed.
    private final byte[] line =
            ("ERROR lifeguard: pools are not watched: the JVM is out of memory or of file descriptors."
                            + " Pools work and are measured; the start is tried again every second\n")
                    .getBytes(StandardCharsets.UTF_8);

    private long lackedSince; // 0 for never
    private boolean isSaid;

    /** Returns whether there is room. Says once that pools are not watched if there has been none for 5 s. */
    public boolean isEnough() {
        boolean isEnough = isThere();
        if (!isEnough) {
            lacked();
        }
        return isEnough;
    }

    /** Something failed for want of memory, although there seemed to be room. */
    public void lacked() {
        long now = System.nanoTime();
        if (lackedSince == 0) {
            lackedSince = now;
        } else if (!isSaid && now - lackedSince >= PATIENCE_NANOS) {
            say();
        }
    }

    /** Not to the log, whose classes may not be loaded yet. */
    private void say() {
        try {
            System.err.write(line, 0, line.length); // println needs memory
            isSaid = true;
        } catch (Throwable ignored) { // no memory, or a stream of a user: it is tried again
            return;
        }
    }

    /** The sentence that takes back what was said; null if nothing was said. */
    public @Nullable String lateStart() {
        return isSaid
                ? "pools were not watched for " + (System.nanoTime() - lackedSince) / 1_000_000_000
                        + " s and are now: the JVM was out of memory or of file descriptors"
                : null;
    }

    /** Returns whether there are 2 MB of heap and 16 file descriptors. */
    public static boolean isThere() {
        try {
            return hasMemory() && hasFiles();
        } catch (OutOfMemoryError ignored) {
            return false;
        }
    }

    /** The heap is not filled to find out: a JVM may be told to end with its first OutOfMemoryError. */
    private static boolean hasMemory() {
        // A heap may be full of garbage. The collector runs before so many small objects are made.
        for (int made = 0; made < BYTES && freeBytes() < BYTES; made += GARBAGE_BYTES) {
            byte[] garbage = new byte[GARBAGE_BYTES];
            garbage[0] = 1;
        }
        return freeBytes() >= BYTES;
    }

    private static long freeBytes() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
    }

    private static boolean hasFiles() {
        File file = new File(System.getProperty("java.home"), "lib/modules"); // every runtime has it
        InputStream[] files = new InputStream[FILES];
        try {
            for (int i = 0; i < FILES; i++) {
                files[i] = new FileInputStream(file);
            }
            return true;
        } catch (IOException e) {
            return files[0] == null && !file.canRead();
        } finally {
            for (InputStream each : files) {
                close(each);
            }
        }
    }

    private static void close(@Nullable InputStream file) {
        if (file != null) {
            try {
                file.close();
            } catch (IOException ignored) { // it was only read
                return;
            }
        }
    }
}
