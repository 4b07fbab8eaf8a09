package io.lifeguard.pool.measure;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the kinds of tasks that a pool has run, in the order of their first appearance. Thread-safe; finding a known
 * kind takes no lock and allocates nothing.
 *
 * <p>The size is bounded. Kinds after the 128th, or for whose names there is no room, are all "(other)".
 */
final class KindTable {

    static final String OTHER_NAME = "(other)";

    /** The number of the kind that stands for all kinds without a number of their own. */
    static final int OTHER = 0;

    /** The largest size: 128 kinds and {@link #OTHER}. */
    static final int CAPACITY = 129;

    /** The largest length of all names together, in characters: 8 to 16 KiB of memory. */
    static final int NAME_CHARACTERS = 8_192;

    private final ReentrantLock growing = new ReentrantLock();

    // replaced under "growing"; a stale read misses the newest kinds, and the reader looks again under the lock
    private volatile Content content = new Content();

    int numberOf(@Nullable Object key) {
        if (key instanceof String name) {
            return numberOfName(name);
        }
        if (key == null) {
            return OTHER;
        }
        String clean = KindNames.of((Class<?>) key);
        int number = content.find(clean);
        return number >= 0 ? number : numberOfCleanName(clean);
    }

    /** Names by number, {@link #OTHER} first. */
    String[] names() {
        Content now = content;
        return Arrays.copyOf(now.names, now.size);
    }

    String nameOf(int number) {
        return content.names[number];
    }

    private int numberOfName(String name) {
        Content now = content;
        boolean fits = name.length() <= KindNames.LONGEST; // otherwise do not even hash it
        int number = fits ? now.find(name) : -1;
        return number >= 0 ? number : numberOfCleanName(KindNames.clean(name));
    }

    private int numberOfCleanName(String clean) {
        if (clean.equals(OTHER_NAME)) {
            return OTHER;
        }
        Content now = content;
        return now.full ? Math.max(OTHER, now.find(clean)) : add(clean);
    }

    private int add(String name) {
        growing.lock();
        try {
            Content now = content;
            int number = now.find(name);
            if (number >= 0) {
                return number;
            }
            content = now.with(name);
            return content.full ? OTHER : now.size;
        } finally {
            growing.unlock();
        }
    }

    /** The names and an open-addressed index of them, at most half full. Immutable. */
    private static final class Content {
        private static final int INDEX = 256;

        final String[] names;
        final byte[] index; // the number of the kind; 0 = free, as OTHER is not found by name
        final int size;
        final int characters;
        final boolean full;

        Content() {
            this(new String[] {OTHER_NAME}, new byte[INDEX], 1, 0, false);
        }

        private Content(String[] names, byte[] index, int size, int characters, boolean full) {
            this.names = names;
            this.index = index;
            this.size = size;
            this.characters = characters;
            this.full = full;
        }

        int find(String name) {
            for (int i = slot(name); index[i] != 0; i = (i + 1) % INDEX) {
                int number = index[i] & 0xff;
                if (names[number].equals(name)) {
                    return number;
                }
            }
            return -1;
        }

        Content with(String name) {
            if (size == CAPACITY || characters + name.length() > NAME_CHARACTERS) {
                return new Content(names, index, size, characters, true);
            }
            String[] more = Arrays.copyOf(names, size + 1);
            more[size] = name;
            byte[] moreIndex = index.clone();
            int i = slot(name);
            while (moreIndex[i] != 0) {
                i = (i + 1) % INDEX;
            }
            moreIndex[i] = (byte) size;
            return new Content(more, moreIndex, size + 1, characters + name.length(), false);
        }

        private static int slot(String name) {
            int hash = name.hashCode() * 0x9e3779b9;
            return hash >>> 24;
        }
    }
}
