package io.lifeguard.pool.tools.dumps;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lifeguard.pool.diagnosis.evidence.stack.Stacks;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.UserFrames;
import java.util.List;
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

    private final Cache<String, Optional<StackTraceElement>> frames;
    private final Cache<Key, Activity> activities;

    StackCache() {
        this(MOST_FRAMES, MOST_STACKS);
    }

    StackCache(int mostFrames, int mostStacks) {
        frames = bounded(mostFrames);
        activities = bounded(mostStacks);
    }

    /**
     * Reads a frame.
     *
     * @param text the frame as a dump prints it
     * @return the frame; empty when the text is not a frame
     */
    Optional<StackTraceElement> frame(String text) {
        return frames.get(text, FrameReader::parse);
    }

    /**
     * Classifies a stack.
     *
     * @param lockType the class of the object that the thread waits for; empty when there is none
     */
    Activity activity(Thread.State state, List<StackTraceElement> stack, String lockType) {
        return activities.get(new Key(state, stack, lockType), StackCache::classify);
    }

    private static Activity classify(Key key) {
        List<StackTraceElement> stack = List.copyOf(key.stack);
        Doing doing = Stacks.doing(key.state, stack, key.lockType);
        return new Activity(stack, doing, doing == Doing.IDLE ? "" : UserFrames.place(stack));
    }

    /** The cache does its upkeep in the thread that reads, so that it starts no other. */
    private static <K, V> Cache<K, V> bounded(int most) {
        return Caffeine.newBuilder().maximumSize(most).executor(Runnable::run).build();
    }

    /** A classified stack. The place is the first frame that is the user's own; it is empty for an idle thread. */
    record Activity(List<StackTraceElement> stack, Doing doing, String place) {}

    private record Key(Thread.State state, List<StackTraceElement> stack, String lockType) {}
}
