package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.spring.executor.InstrumentedThreadPoolTaskExecutor;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An application starts, with an instrumented pool, whichever optional libraries are absent. */
@Tag("slow")
class AbsentLibrariesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jetty",
                "tomcat",
                "jetty|tomcat|websocket|spring-web",
                "micrometer-(core|jakarta)|spring-boot.*(actuator|health|micrometer)",
                "spring-boot.*(actuator|health|micrometer)"
            })
    void application_withoutJars_startsWithInstrumentedPool(String absent) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader without = classPathWithout(Pattern.compile(absent))) {
            thread.setContextClassLoader(without);
            leaveTheJvmsUrlsAlone(without);
            Object pool = without.loadClass(Application.class.getName())
                    .getMethod("classOfPool")
                    .invoke(null);
            assertThat(pool).isEqualTo(InstrumentedThreadPoolTaskExecutor.class.getName());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Tomcat sets the URL factory of the JVM, which can be set only once. */
    private static void leaveTheJvmsUrlsAlone(ClassLoader without) throws ReflectiveOperationException {
        String factory = "org.apache.catalina.webresources.TomcatURLStreamHandlerFactory";
        try {
            without.loadClass(factory).getMethod("disable").invoke(null);
        } catch (ClassNotFoundException absent) {
            return;
        }
    }

    /** The class path of this test without some jars. All classes are loaded anew, also Spring's. */
    private static URLClassLoader classPathWithout(Pattern absent) throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (!absent.matcher(path.getFileName().toString()).find()) {
                urls.add(path.toUri().toURL());
            }
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    /** Runs in the class loader that loaded it. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    public static class Application {
        public static String classOfPool() {
            try (ConfigurableApplicationContext context = SpringApplication.run(
                    Application.class,
                    "--server.port=0",
                    "--server.address=127.0.0.1",
                    "--spring.main.banner-mode=off",
                    "--spring.jmx.enabled=false",
                    "--management.health.threadpools.enabled=true")) {
                return context.getBean("applicationTaskExecutor").getClass().getName();
            }
        }
    }
}
