package io.lifeguard.pool.queue;

import com.google.common.collect.testing.QueueTestSuiteBuilder;
import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.TestQueueGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import io.lifeguard.pool.queue.Tasks.Numbered;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;
import junit.framework.Test;
import junit.framework.TestSuite;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** Every queue is a queue by the collections' contract, with tasks that are equal by value and with such as are not. */
@RunWith(AllTests.class)
public final class WorkQueueCollectionTest {
    private static final SampleElements<Runnable> EQUAL_BY_VALUE =
            new SampleElements<>(new Numbered(1), new Numbered(2), new Numbered(3), new Numbered(4), new Numbered(5));
    private static final SampleElements<Runnable> EQUAL_BY_IDENTITY = new SampleElements<>(
            Tasks.single("a"), Tasks.single("b"), Tasks.single("c"), Tasks.single("d"), Tasks.single("e"));

    private WorkQueueCollectionTest() {}

    public static Test suite() {
        TestSuite all = new TestSuite(WorkQueueCollectionTest.class.getName());
        add(all, "ring", () -> WorkQueue.bounded(10));
        add(all, "ring that has gone round", () -> used(WorkQueue.bounded(10), 13));
        add(all, "bounded segments", () -> WorkQueue.bounded(Integer.MAX_VALUE));
        add(all, "segments", WorkQueue::unbounded);
        add(all, "short segments", () -> used(new SegmentQueue(WorkQueue.UNBOUNDED, 4), 6));
        return all;
    }

    private static void add(TestSuite all, String name, Supplier<WorkQueue> queues) {
        all.addTest(suite(name + ", tasks equal by value", queues, EQUAL_BY_VALUE));
        all.addTest(suite(name + ", tasks equal by identity", queues, EQUAL_BY_IDENTITY));
    }

    private static WorkQueue used(WorkQueue queue, int times) {
        for (int i = 0; i < times; i++) {
            queue.add(EQUAL_BY_VALUE.e0());
            queue.remove();
        }
        return queue;
    }

    private static Test suite(String name, Supplier<WorkQueue> queues, SampleElements<Runnable> samples) {
        return QueueTestSuiteBuilder.using(new Generator(queues, samples))
                .named(name)
                .withFeatures(
                        CollectionSize.ANY,
                        CollectionFeature.GENERAL_PURPOSE,
                        CollectionFeature.KNOWN_ORDER,
                        CollectionFeature.ALLOWS_NULL_QUERIES)
                .createTestSuite();
    }

    private record Generator(Supplier<WorkQueue> queues, SampleElements<Runnable> samples)
            implements TestQueueGenerator<Runnable> {
        @Override
        public Queue<Runnable> create(Object... elements) {
            WorkQueue queue = queues.get();
            for (Object element : elements) {
                queue.add((Runnable) element);
            }
            return queue;
        }

        @Override
        public Runnable[] createArray(int length) {
            return new Runnable[length];
        }

        @Override
        public Iterable<Runnable> order(List<Runnable> insertionOrder) {
            return insertionOrder;
        }
    }
}
