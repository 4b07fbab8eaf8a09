package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.diagnosis.evidence.stack.Stacks;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers frames and stacks, because the threads of a dump repeat the same ones thousands of times. Each frame is
 * parsed once and kept once. Each stack is classified once and kept once. Both memories are bounded, so that a file may
 * be larger than the heap. Not thread-safe.
 */
final class StackCache {

    /** A frame takes some 300 bytes with its text, so this many take 15 MB at most. */
    private static final int MOST_FRAMES = 50_000;

    /** A stack of 60 frames takes some 300 bytes beside its frames, so this many take 3 MB at most. */
    private static final int MOST_STACKS = 10_000;

    /** A name or a lock takes some 100 bytes. */
    private static final int MOST_VALUES = 50_000;

    private final int mostFrames;
    private final int mostStacks;
    private final Map<String, Optional<StackTraceElement>> frames = new HashMap<>();
    private final Map<Key, Activity> activities = new HashMap<>();
    private final Map<Object, Object> values = new HashMap<>();

    StackCache() {
        this(MOST_FRAMES, MOST_STACKS);
    }

    StackCache(int mostFrames, int mostStacks) {
        this.mostFrames = mostFrames;
        this.mostStacks = mostStacks;
    }

    /**
     * Reads a frame.
     *
     * @param text the frame as a dump prints it
     * @return the frame; empty when the text is not a frame
     */
    Optional<StackTraceElement> frame(String text) {
        Optional<StackTraceElement> known = frames.get(text);
        if (known == null) {
            known = FrameReader.parse(text);
            put(frames, text, known, mostFrames);
        }
        return known;
    }

    /**
     * Classifies a stack.
     *
     * @param lockType the class of the object that the thread waits for; empty when there is none
     */
    Activity activity(Thread.State state, List<StackTraceElement> stack, String lockType) {
        Activity known = activities.get(new Key(state, stack, lockType));
        if (known == null) {
            List<StackTraceElement> copy = List.copyOf(stack);
            Doing doing = Stacks.doing(state, copy, lockType);
            known = new Activity(copy, doing, doing == Doing.IDLE ? "" : UserFrames.place(copy));
            put(activities, new Key(state, copy, lockType), known, mostStacks);
        }
        return known;
    }

    /** Returns an equal value that was seen before, so that dumps of one process share it. */
    @SuppressWarnings("unchecked") // an equal value is of the same class
    <T> T shared(T value) {
        Object known = values.get(value);
        if (known == null) {
            put(values, value, value, MOST_VALUES);
        }
        return known == null ? value : (T) known;
    }

    /** Forgets all where there are too many: that is rare, and keeps no order of use for each line of a dump. */
    private static <K, V> void put(Map<K, V> memory, K key, V value, int most) {
        if (memory.size() >= most) {
            memory.clear();
        }
        memory.put(key, value);
    }

    /** A classified stack. The place is the first frame that is the user's own; it is empty for an idle thread. */
    record Activity(List<StackTraceElement> stack, Doing doing, String place) {}

    private record Key(Thread.State state, List<StackTraceElement> stack, String lockType) {}
}
