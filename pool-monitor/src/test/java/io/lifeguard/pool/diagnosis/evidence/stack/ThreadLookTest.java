package io.lifeguard.pool.diagnosis.evidence.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.Fixture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** A virtual thread is looked at like a platform thread. */
class ThreadLookTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    @Test
    void title_namesTheClassAndNoneOfTheJdksOwn() {
        assertThat(ThreadLook.title("java.util.concurrent.Semaphore$NonfairSync@1f"))
                .isEqualTo("java.util.concurrent.Semaphore@1f");
        assertThat(ThreadLook.title("java.lang.Class for com.example.Orders@f009"))
                .isEqualTo("class com.example.Orders");
    }

    @Test
    void ofVirtual_platformThread_isLeftToTheManagementBean() {
        assertThat(ThreadLook.ofVirtual(Thread.currentThread(), 64)).isNull();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void ofVirtual_parked_showsTheBlockerAndTheStackOfItsWait() throws Exception {
        Semaphore permit = new Semaphore(0);
        Thread thread = virtual(permit::acquireUninterruptibly);
        thread.start();
        fixture.eventually("wait", () -> Fixture.isWaiting(thread));
        ThreadLook seen = ThreadLook.ofVirtual(thread, 64);
        assertThat(seen).isNotNull();
        assertThat(seen.state()).isEqualTo(Thread.State.WAITING);
        assertThat(seen.type()).isEqualTo("java.util.concurrent.Semaphore$NonfairSync");
        assertThat(seen.stack().get(0).toString()).contains("LockSupport.park");
        assertThat(seen.stack()).anyMatch(frame -> frame.getMethodName().equals("acquireUninterruptibly"));
        assertThat(ThreadLook.ofVirtual(thread, 2).stack()).hasSize(2);
        permit.release();
        thread.join();
        assertThat(ThreadLook.ofVirtual(thread, 64)).isNull();
    }

    /** Calls the factory by reflection, because the tests are compiled for Java 17. */
    private static Thread virtual(Runnable body) throws ReflectiveOperationException {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        ThreadFactory factory = (ThreadFactory)
                Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
        return factory.newThread(body);
    }
}
