package io.lifeguard.pool.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.testing.Fixture;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A null argument is refused with the message of the running JDK. */
class NullMessagesTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final ThreadPoolExecutor plain =
            fixture.closing(new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()));
    private final ThreadPoolExecutor own = fixture.closing(
            InstrumentedThreadPoolExecutor.named("messages").size(1).build());
    private final ThreadPoolExecutor onUsersQueue =
            fixture.closing(new InstrumentedThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()));
    private final ThreadPoolExecutor plainScheduled = fixture.closing(new ScheduledThreadPoolExecutor(1));
    private final ThreadPoolExecutor scheduled = fixture.closing(new InstrumentedScheduledThreadPoolExecutor(1));

    @Test
    void execute_null_hasTheJdksMessage() {
        sameMessage(pool -> pool.execute(null));
    }

    @Test
    void submit_null_hasTheJdksMessage() {
        sameMessage(pool -> pool.submit((Runnable) null));
        sameMessage(pool -> pool.submit((Callable<?>) null));
        sameMessage(pool -> pool.submit(null, "result"));
    }

    @Test
    void setters_null_haveTheJdksMessage() {
        sameMessage(pool -> pool.setThreadFactory(null));
        sameMessage(pool -> pool.setRejectedExecutionHandler(null));
        sameMessage(pool -> pool.setKeepAliveTime(1, null));
    }

    private void sameMessage(Consumer<ThreadPoolExecutor> call) {
        String expected = message(plain, call);
        assertThat(message(own, call)).isEqualTo(expected);
        assertThat(message(onUsersQueue, call)).isEqualTo(expected);
        assertThat(message(scheduled, call)).isEqualTo(message(plainScheduled, call));
    }

    private static String message(ThreadPoolExecutor pool, Consumer<ThreadPoolExecutor> call) {
        return String.valueOf(catchThrowable(() -> call.accept(pool)));
    }
}
