package io.lifeguard.pool.queue;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every operation that does not block takes effect at one instant, as on a {@link LinkedBlockingQueue}. Tiny rings go
 * round, and tiny segments are left behind, within a few operations. The property {@code lifeguard.lincheck.iterations}
 * asks for more scenarios.
 */
@Tag("slow")
class WorkQueueLinearizabilityTest {
    private static final int ITERATIONS = Integer.getInteger("lifeguard.lincheck.iterations", 2);

    @ParameterizedTest
    @ValueSource(classes = {Ring1.class, Ring2.class, Ring3.class, BoundedSegments.class, Segments.class})
    void everyOperation_allInterleavings_linearizable(Class<? extends Operations> queue) {
        new ModelCheckingOptions()
                .iterations(ITERATIONS)
                .invocationsPerIteration(100)
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(3)
                .actorsAfter(2)
                // It shares nothing. Its recursion would look like a loop that never ends.
                .addGuarantee(
                        forClasses(StackReserve.class.getName()).allMethods().ignore())
                .sequentialSpecification(specification(queue))
                .check(queue);
    }

    @ParameterizedTest
    @ValueSource(classes = {Ring1.class, Ring2.class, Ring3.class, BoundedSegments.class, Segments.class})
    void everyOperation_underStress_linearizable(Class<? extends Operations> queue) {
        new StressOptions()
                .iterations(5 * ITERATIONS)
                .invocationsPerIteration(1_000)
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(3)
                .actorsAfter(2)
                .sequentialSpecification(specification(queue))
                .check(queue);
    }

    private static Class<? extends Operations> specification(Class<? extends Operations> queue) {
        if (queue == Ring1.class) {
            return Specification1.class;
        }
        if (queue == Ring2.class) {
            return Specification2.class;
        }
        return queue == Segments.class ? Specification.class : Specification3.class;
    }

    /** Equal to every other of the same number. */
    private record Numbered(int number) implements Runnable {
        @Override
        public void run() {}
    }

    public static final class Ring1 extends Operations {
        public Ring1() {
            super(WorkQueue.bounded(1));
        }
    }

    public static final class Ring2 extends Operations {
        public Ring2() {
            super(WorkQueue.bounded(2));
        }
    }

    public static final class Ring3 extends Operations {
        public Ring3() {
            super(WorkQueue.bounded(3));
        }
    }

    public static final class BoundedSegments extends Operations {
        public BoundedSegments() {
            super(new SegmentQueue(3, 2));
        }
    }

    public static final class Segments extends Operations {
        public Segments() {
            super(new SegmentQueue(Integer.MAX_VALUE, 2));
        }
    }

    public static final class Specification1 extends Operations {
        public Specification1() {
            super(new LinkedBlockingQueue<>(1));
        }
    }

    public static final class Specification2 extends Operations {
        public Specification2() {
            super(new LinkedBlockingQueue<>(2));
        }
    }

    public static final class Specification3 extends Operations {
        public Specification3() {
            super(new LinkedBlockingQueue<>(3));
        }
    }

    public static final class Specification extends Operations {
        public Specification() {
            super(new LinkedBlockingQueue<>());
        }
    }

    @Param(name = "n", gen = IntGen.class, conf = "1:3")
    public abstract static class Operations {
        private final BlockingQueue<Runnable> queue;

        Operations(BlockingQueue<Runnable> queue) {
            this.queue = queue;
        }

        @Operation
        public boolean offer(@Param(name = "n") int n) {
            return queue.offer(new Numbered(n));
        }

        @Operation
        public int poll() {
            return number(queue.poll());
        }

        @Operation
        public int peek() {
            return number(queue.peek());
        }

        @Operation
        public int size() {
            return queue.size();
        }

        @Operation
        public int remainingCapacity() {
            return queue.remainingCapacity();
        }

        @Operation
        public boolean isEmpty() {
            return queue.isEmpty();
        }

        @Operation
        public boolean contains(@Param(name = "n") int n) {
            return queue.contains(new Numbered(n));
        }

        @Operation
        public boolean remove(@Param(name = "n") int n) {
            return queue.remove(new Numbered(n));
        }

        @Operation
        public List<Integer> toArray() {
            List<Integer> numbers = new ArrayList<>();
            for (Object task : queue.toArray()) {
                numbers.add(number((Runnable) task));
            }
            return numbers;
        }

        @Operation
        public List<Integer> drainTo(@Param(name = "n") int n) {
            List<Runnable> drained = new ArrayList<>();
            queue.drainTo(drained, n);
            List<Integer> numbers = new ArrayList<>();
            for (Runnable task : drained) {
                numbers.add(number(task));
            }
            return numbers;
        }

        @Operation
        public void clear() {
            queue.clear();
        }

        private static int number(@Nullable Runnable task) {
            return task == null ? 0 : ((Numbered) task).number();
        }
    }
}
