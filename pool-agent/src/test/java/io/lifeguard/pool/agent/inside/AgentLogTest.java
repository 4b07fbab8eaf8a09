package io.lifeguard.pool.agent.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

/** The way to the application's log. */
class AgentLogTest {

    @TempDir
    Path directory;

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

    /** As in WildFly: an SLF4J that keeps no logger, and that only threads at work in an application lead to. */
    @Test
    void say_threadThatLedToSlf4jHasEnded_isStillInItsLog() throws Exception {
        Files.createDirectories(directory.resolve("META-INF/services"));
        Files.createFile(directory.resolve("META-INF/services/org.slf4j.spi.SLF4JServiceProvider"));
        Files.createDirectories(directory.resolve("org/slf4j"));
        source("ILoggerFactory", "public interface ILoggerFactory {}");
        source(
                "Logger",
                "public class Logger { public void info(String text, Throwable thrown) {"
                        + " System.setProperty(\"test.said\", text); } }");
        source(
                "LoggerFactory",
                "public class LoggerFactory {"
                        + " public static ILoggerFactory getILoggerFactory() { "
                        + " return System.getProperty(\"test.said\") == null ? null : new ILoggerFactory() {}; }"
                        + " public static Logger getLogger(String name) { return new Logger(); } }");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, files("ILoggerFactory", "Logger", "LoggerFactory")))
                .isZero();
        System.setProperty("test.said", "");
        try (URLClassLoader application =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, null)) {
            Thread self = Thread.currentThread();
            ClassLoader before = self.getContextClassLoader();
            self.setContextClassLoader(application);
            try {
                AgentLog.say(Level.INFO, "while it works");
            } finally {
                self.setContextClassLoader(before);
            }
            assertThat(System.getProperty("test.said")).isEqualTo("while it works");
            AgentLog.say(Level.INFO, "later");
            assertThat(System.getProperty("test.said")).isEqualTo("later");
        } finally {
            System.clearProperty("test.said");
        }
    }

    private void source(String type, String text) throws IOException {
        Files.writeString(file(type), "package org.slf4j; " + text);
    }

    private Path file(String type) {
        return directory.resolve("org/slf4j/" + type + ".java");
    }

    private String[] files(String... types) {
        return Stream.of(types).map(type -> file(type).toString()).toArray(String[]::new);
    }
}
