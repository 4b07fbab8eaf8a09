package io.lifeguard.pool.agent.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** The way to the application's log. */
class AgentLogTest {

    /** As Tomcat's and Payara's class loaders do before an application has started and after it has ended. */
    @Test
    void say_classLoaderOfThreadThatThrows_isOnStandardError() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setContextClassLoader(new ClassLoader() {
            @Override
            public URL getResource(String name) {
                throw new IllegalStateException("the web application has ended");
            }
        });
        thread.start();
        PrintStream before = System.err;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setErr(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            AgentLog.say(Level.INFO, "a line");
        } finally {
            System.setErr(before);
            end.countDown();
            thread.join();
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("INFO lifeguard: a line");
    }
}
