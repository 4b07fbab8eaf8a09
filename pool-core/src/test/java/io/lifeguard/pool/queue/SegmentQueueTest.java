package io.lifeguard.pool.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.queue.Tasks.Numbered;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SegmentQueueTest {
    @Test
    void link_second_keepsTheFirst() {
        Segment segment = new Segment(0, 2);
        Segment next = new Segment(1, 2);
        assertThat(segment.link(next)).isTrue();
        assertThat(segment.link(new Segment(1, 2))).isFalse();
        assertThat(segment.next()).isSameAs(next);
    }

    @Test
    void dequeue_intoTheNextSegment_cutsTheFormer() {
        SegmentQueue queue = new SegmentQueue(WorkQueue.UNBOUNDED, 2);
        for (int i = 0; i < 7; i++) {
            queue.add(new Numbered(i));
        }
        List<Segment> chain = new ArrayList<>();
        for (Segment segment = queue.headSegment(); segment != null; segment = segment.next()) {
            chain.add(segment);
        }
        assertThat(chain).hasSize(4);
        for (int i = 0; i < 5; i++) {
            queue.poll();
        }
        assertThat(chain.get(0).next()).isSameAs(chain.get(0));
        assertThat(chain.get(1).next()).isSameAs(chain.get(1));
        assertThat(chain.get(2).next()).isSameAs(chain.get(3));
        assertThat(queue).containsExactly(new Numbered(5), new Numbered(6));
    }

    /** The queue jumps over several segments at once, and both hints with it. */
    @Test
    void clear_overManySegments_goesOn() {
        SegmentQueue queue = new SegmentQueue(WorkQueue.UNBOUNDED, 2);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 20; i++) {
                queue.add(new Numbered(i));
            }
            queue.clear();
            queue.clear();
            assertThat(queue.peek()).isNull();
            assertThat(queue).isEmpty();
            queue.add(new Numbered(99));
            assertThat(queue.peek()).isEqualTo(new Numbered(99));
            assertThat(queue.poll()).isEqualTo(new Numbered(99));
            assertThat(queue.poll()).isNull();
            assertThat(queue.headSegment().id).isEqualTo((queue.accepted() - 1) / 2);
        }
    }

    @Test
    void newQueue_largeBound_allocatesOneSegment() {
        SegmentQueue queue = (SegmentQueue) WorkQueue.bounded(Integer.MAX_VALUE);
        assertThat(queue.headSegment().items).hasSize(1024);
        assertThat(queue.headSegment().next()).isNull();
    }
}
