package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A task that stands for another is counted under the kind of that task, and prints like it. */
class TasksInPlaceTest {

    private final InstrumentedThreadPoolExecutor pool =
            InstrumentedThreadPoolExecutor.named("in-place").size(1).build();

    @Test
    void inPlaceOf_namedAndUnnamedTasks_areCountedAsTheTasksInside() throws Exception {
        try {
            Inner inner = new Inner();
            Runnable wrapper = () -> inner.run();
            pool.submit(Tasks.inPlaceOf(inner, wrapper)).get();
            pool.submit(Tasks.inPlaceOf(Tasks.named("import", inner), wrapper)).get();
            Callable<String> call = Tasks.named("export", () -> "inner");
            assertThat(pool.submit(Tasks.inPlaceOf(call, () -> "wrapped " + call.call()))
                            .get())
                    .isEqualTo("wrapped inner");
            pool.submit(inner).get();
        } finally {
            pool.shutdown();
        }
        assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(pool.snapshot().kinds())
                .extracting(PoolSnapshot.TaskKind::count)
                .containsExactlyInAnyOrder(2L, 1L, 1L);
        assertThat(pool.snapshot().kinds())
                .extracting(PoolSnapshot.TaskKind::name)
                .contains("import", "export")
                .anyMatch(name -> name.endsWith("Inner"));
    }

    @Test
    void toString_replacement_isTheTextOfTheTask() {
        Runnable inner = new Inner();
        assertThat(Tasks.inPlaceOf(inner, () -> {})).hasToString("the inner one");
        assertThat(Tasks.named("import", inner)).hasToString("import");
    }

    private static final class Inner implements Runnable {
        @Override
        public void run() {}

        @Override
        public String toString() {
            return "the inner one";
        }
    }
}
