package io.lifeguard.pool.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.testing.Delays;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A class loader that holds the library can be collected after it was closed, even if that was a moment later. */
class RedeploymentTest {

    /** Few, because each loads all classes anew, which takes up to half a second. */
    private static final int DEPLOYMENTS = 5;

    /** Loads the library and the application itself, and everything else from its parent. */
    private static final class Deployment extends URLClassLoader {
        private static final Queue<String> AFTER_CLOSE = new ConcurrentLinkedQueue<>();
        private volatile boolean isClosed;

        Deployment() {
            super(
                    new URL[] {
                        locationOf(InstrumentedThreadPoolExecutor.class),
                        locationOf(PoolMonitor.class),
                        locationOf(Application.class)
                    },
                    RedeploymentTest.class.getClassLoader());
        }

        private static URL locationOf(Class<?> type) {
            return type.getProtectionDomain().getCodeSource().getLocation();
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("io.lifeguard.pool.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null && isClosed) {
                    AFTER_CLOSE.add(Thread.currentThread().getName() + " needs " + name);
                }
                return loaded == null ? findClass(name) : loaded;
            }
        }

        @Override
        public void close() throws IOException {
            isClosed = true;
            super.close();
        }
    }

    /** The log's thread ends after a second without a line. */
    private static boolean isOfAThreadThatEnds(String need) {
        return Stream.of(
                        "lifeguard-monitor ",
                        "lifeguard-start ",
                        "lifeguard-monitor-start ",
                        "lifeguard-lookout ",
                        "lifeguard-rehearsal ",
                        "lifeguard-log ")
                .anyMatch(need::startsWith);
    }

    @ParameterizedTest
    @ValueSource(strings = {"withIdleWorkers", "withAllPools", "withJudgedPool"})
    void library_ofStoppedDeployments_isUnloaded(String application) throws Exception {
        Deployment.AFTER_CLOSE.clear();
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        for (int i = 0; i < DEPLOYMENTS; i++) {
            loaders.add(deployAndStop(application));
        }
        await().atMost(Delays.PATIENCE).untilAsserted(() -> {
            System.gc();
            assertThat(loaders).allMatch(loader -> loader.refersTo(null));
        });
        // The monitor's thread, or the one that is about to start it, meets the closed loader in its next round, and
        // ends. Workers must not need it at all.
        assertThat(Deployment.AFTER_CLOSE).allMatch(RedeploymentTest::isOfAThreadThatEnds);
    }

    /** The record of the task, too, must not need a class that was not loaded while the loader was open. */
    @Test
    void worker_endsAfterTheLoaderWasClosed_withoutAnError() throws Exception {
        Deployment.AFTER_CLOSE.clear();
        CountDownLatch closed = new CountDownLatch(1);
        Queue<Throwable> deaths = new ConcurrentLinkedQueue<>();
        Thread worker;
        try (Deployment deployment = new Deployment()) {
            worker = (Thread) deployment
                    .loadClass(Application.class.getName())
                    .getMethod("withTaskThatEndsLater", CountDownLatch.class, Collection.class)
                    .invoke(null, closed, deaths);
            // The worker has begun. Its task is to be longer than 20 ms, from when on tasks are recorded.
            long since = System.nanoTime();
            await().until(() -> System.nanoTime() - since > TimeUnit.MILLISECONDS.toNanos(25));
        }
        closed.countDown();
        worker.join(Delays.PATIENCE.toMillis());
        assertThat(worker.isAlive()).isFalse();
        assertThat(deaths).isEmpty();
        assertThat(Deployment.AFTER_CLOSE).allMatch(RedeploymentTest::isOfAThreadThatEnds);
    }

    /**
     * A monitor that watches loops runs on after the last pool has ended, and must see that its application was
     * stopped.
     */
    @Test
    void library_besideEventLoopsOfTheServer_isUnloaded() throws Exception {
        EventLoopGroup server = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            server.submit(() -> {}).get();
            library_ofStoppedDeployments_isUnloaded("withAllPools");
        } finally {
            server.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }

    /** The library belongs to a server, and the first application that uses it is stopped. */
    @Test
    void applicationThatStartedAMonitor_isUnloadedWhileTheMonitorRuns() throws Exception {
        InstrumentedThreadPoolExecutor watched =
                InstrumentedThreadPoolExecutor.named("watched").size(1).build();
        AtomicReference<PoolMonitor> monitor = new AtomicReference<>();
        WeakReference<ClassLoader> application =
                callFromAnApplication(() -> monitor.set(PoolMonitor.builder().build()));
        try {
            await().atMost(Delays.PATIENCE).until(() -> {
                System.gc();
                return application.refersTo(null);
            });
            assertThat(watched.isShutdown())
                    .as("a pool keeps the monitor running")
                    .isFalse();
        } finally {
            monitor.get().close();
            watched.shutdown();
        }
    }

    @SuppressWarnings("unchecked")
    private static WeakReference<ClassLoader> callFromAnApplication(Runnable call) throws Exception {
        Class<?> application = ApplicationLoader.newClass(ApplicationCall.class);
        ((Consumer<Runnable>) application.getDeclaredConstructor().newInstance()).accept(call);
        return new WeakReference<>(application.getClassLoader());
    }

    private static WeakReference<ClassLoader> deployAndStop(String application) throws Exception {
        try (Deployment deployment = new Deployment()) {
            Class<?> type = deployment.loadClass(Application.class.getName());
            assertThat(type.getClassLoader()).isSameAs(deployment);
            type.getMethod(application).invoke(null);
            return new WeakReference<>(deployment);
        }
    }
}
