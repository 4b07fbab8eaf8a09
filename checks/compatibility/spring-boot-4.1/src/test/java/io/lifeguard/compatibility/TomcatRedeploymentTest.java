package io.lifeguard.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.lang.ref.WeakReference;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.WebResourceRoot;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.webresources.DirResourceSet;
import org.apache.catalina.webresources.JarResourceSet;
import org.apache.catalina.webresources.StandardRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A web application is deployed and stopped fifty times in one Tomcat. No class loader of it stays reachable. */
class TomcatRedeploymentTest {

    private static final int DEPLOYMENTS = 50;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Asks for options of the JVM, and names threads that are about to end. A field, so that the level stays. */
    private final Logger loaderLog = Logger.getLogger("org.apache.catalina.loader");

    @TempDir
    Path directory;

    private Tomcat tomcat;

    @BeforeEach
    void startTomcat() throws Exception {
        loaderLog.setLevel(Level.SEVERE);
        tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        tomcat.getHost(); // no connector, as no request is sent
        tomcat.start();
    }

    @AfterEach
    void stopTomcat() throws Exception {
        tomcat.stop();
        tomcat.destroy();
        loaderLog.setLevel(null);
    }

    /** Each deployment brings a library of its own. */
    @Test
    void library_inTheApplication_isUnloadedWithIt() throws Exception {
        isUnloaded(getClass().getClassLoader(), true);
    }

    /** The first deployment starts the monitor of the shared library, which runs on for a pool of the server. */
    @Test
    void library_inASharedLoader_keepsNoApplication() throws Exception {
        URL[] shared = {location(InstrumentedThreadPoolExecutor.class).toUri().toURL()};
        try (URLClassLoader server = new URLClassLoader(shared, withoutLibrary())) {
            Class<?> factories = server.loadClass("io.lifeguard.pool.InstrumentedExecutors");
            assertThat(factories.getClassLoader()).isSameAs(server);
            List<WeakReference<ClassLoader>> first = List.of(deployAndStop(server, false));
            ExecutorService pool = (ExecutorService)
                    factories.getMethod("newFixedThreadPool", int.class).invoke(null, 1);
            try {
                pool.submit(() -> {}).get();
                isUnloaded(server, false);
                areCollected(first);
            } finally {
                pool.shutdown();
            }
        }
    }

    private void isUnloaded(ClassLoader parent, boolean bringsLibrary) throws Exception {
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        for (int i = 0; i < DEPLOYMENTS; i++) {
            loaders.add(deployAndStop(parent, bringsLibrary));
        }
        areCollected(loaders);
    }

    private static void areCollected(List<WeakReference<ClassLoader>> loaders) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
            System.gc();
            assertThat(loaders).allMatch(loader -> loader.refersTo(null));
        });
    }

    private WeakReference<ClassLoader> deployAndStop(ClassLoader parent, boolean bringsLibrary) throws Exception {
        StandardContext context = new StandardContext();
        context.setPath("/app");
        context.setDocBase(Files.createTempDirectory(directory, "app").toString());
        context.addLifecycleListener(new Tomcat.FixContextListener());
        context.setParentClassLoader(parent);
        WebResourceRoot files = new StandardRoot(context);
        mount(files, location(RedeployedApplication.class));
        if (bringsLibrary) {
            mount(files, location(InstrumentedThreadPoolExecutor.class));
        }
        context.setResources(files);
        context.addApplicationListener(RedeployedApplication.class.getName());
        tomcat.getHost().addChild(context);
        assertThat(context.getState().isAvailable()).as("started").isTrue();
        ClassLoader loader = context.getLoader().getClassLoader();
        Class<?> pools = loader.loadClass(InstrumentedThreadPoolExecutor.class.getName());
        assertThat(pools.getClassLoader()).isSameAs(bringsLibrary ? loader : parent);
        tomcat.getHost().removeChild(context);
        return new WeakReference<>(loader);
    }

    /** Shows a folder of classes, or a jar, to the application. */
    private static void mount(WebResourceRoot files, Path classes) {
        files.addPreResources(
                Files.isRegularFile(classes)
                        ? new JarResourceSet(files, "/WEB-INF/classes", classes.toString(), "/")
                        : new DirResourceSet(files, "/WEB-INF/classes", classes.toString(), "/"));
    }

    private static Path location(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /** This test's class path without the library and the application. */
    private static ClassLoader withoutLibrary() {
        return new ClassLoader(TomcatRedeploymentTest.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (name.startsWith("io.lifeguard.")) {
                    throw new ClassNotFoundException(name);
                }
                return super.loadClass(name, resolve);
            }
        };
    }
}
