package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TaskSamplerTest {

    /** The weight of a task must not depend on its position in a repeating pattern. */
    @Test
    void turn_periodicTasks_giveEachPositionTheSameWeight() {
        int period = 16;
        long[] weight = new long[period];
        long tasksPerPosition = 0;
        for (int seed = 0; seed < 1_500; seed++) {
            KindCounts kinds = new KindCounts();
            kinds.ensure(period);
            TaskSampler sampler = sampler(seed, kinds);
            long wall = 0;
            for (int i = 0; i < 3_200; i++) {
                int kind = i % period;
                boolean chosen = --sampler.toGo < 0 && sampler.turn(i, wall);
                wall += kind == 0 ? 40_000 : 2_000;
                sampler.learn(1_000, 1_000);
                if (chosen) {
                    sampler.take(1_000, kind);
                }
            }
            sampler.close(3_200);
            long[] cells = new long[KindTable.CAPACITY * KindCounts.WIDTH];
            kinds.addTo(cells);
            for (int kind = 0; kind < period; kind++) {
                weight[kind] += cells[kind * KindCounts.WIDTH + KindCounts.CPU] / 1_000;
            }
            tasksPerPosition += 3_200 / period;
        }
        for (int kind = 0; kind < period; kind++) {
            assertThat((double) weight[kind] / tasksPerPosition)
                    .as("weight of position %d", kind)
                    .isCloseTo(1, within(0.08));
        }
    }

    @Test
    void turn_shortTasks_standForNoMoreThanTheGivenTime() {
        TaskSampler sampler = sampler(1, new KindCounts());
        int chosen = 0;
        for (int i = 0; i < 1_000_000; i++) {
            chosen += --sampler.toGo < 0 && sampler.turn(i, i * 1_000L) ? 1 : 0;
        }

        assertThat(chosen).isBetween(2_500, 2_700); // 400 tasks of 1 us in 400 us
    }

    @Test
    void close_insideABlock_countsItsTasksWithTheLastSample() {
        Histogram histogram = new Histogram();
        TaskSampler sampler = new TaskSampler(histogram, new KindCounts(), new SplittableRandom(4), 1_000_000);
        for (int i = 0; i < 777; i++) {
            if (--sampler.toGo < 0 && sampler.turn(i, i)) {
                sampler.take(1_000, 0);
            }
        }
        assertThat(histogram.count()).isLessThan(777);

        sampler.close(777);

        assertThat(histogram.count()).isEqualTo(777);
    }

    private static TaskSampler sampler(int seed, KindCounts kinds) {
        return new TaskSampler(new Histogram(), kinds, new SplittableRandom(seed), 400_000);
    }
}
