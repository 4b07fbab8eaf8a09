package io.lifeguard.pool.agent.inside;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LoggingEventAware;

/**
 * Writes the library's log to the application's SLF4J, or to standard error where the application has none.
 * Thread-safe.
 *
 * <p>The library inside the agent has an SLF4J of its own, whose only provider makes these loggers. The application's
 * is searched with the first line, in the class loaders of its threads, and is held weakly.
 */
final class AgentLog extends LegacyAbstractLogger implements LoggingEventAware {

    private static final long serialVersionUID = 1;

    private static final String FACTORY = "org.slf4j.LoggerFactory";
    private static final String PROVIDER = "META-INF/services/org.slf4j.spi.SLF4JServiceProvider"; // of SLF4J 2
    private static final String BINDER = "org/slf4j/impl/StaticLoggerBinder.class"; // of SLF4J 1

    // Written by any thread that logs; a stale read searches once more. The SLF4J that was found last: in WildFly only
    // threads at work in an application lead to it, and its loggers are collected.
    private static volatile WeakReference<Class<?>> factory = new WeakReference<>(null);

    // Written by any thread that logs. A stale read searches once more.
    private transient volatile @Nullable WeakReference<Object> application;

    AgentLog(String name) {
        this.name = name;
    }

    /** Says something about the agent itself. */
    static void say(Level level, String text) {
        new AgentLog("io.lifeguard.pool.agent").write(level, text, null);
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            String pattern,
            @Nullable Object @Nullable [] arguments,
            @Nullable Throwable throwable) {
        write(level, MessageFormatter.basicArrayFormat(pattern, arguments), throwable);
    }

    @Override
    public void log(LoggingEvent event) {
        write(event.getLevel(), event.getMessage(), event.getThrowable());
    }

    private void write(Level level, String text, @Nullable Throwable throwable) {
        Object logger = applicationLogger();
        if (logger == null || !writeTo(logger, level, text, throwable)) {
            System.err.println(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + level + " lifeguard: " + text
                    + (throwable == null ? "" : " (" + throwable + ")"));
        }
    }

    private @Nullable Object applicationLogger() {
        WeakReference<Object> known = application;
        Object logger = known == null ? null : known.get();
        if (logger == null) {
            logger = search();
            application = logger == null ? null : new WeakReference<>(logger);
        }
        return logger;
    }

    private @Nullable Object search() {
        for (ClassLoader loader : applicationLoaders()) {
            Object logger = loggerOf(loader);
            if (logger != null) {
                return logger;
            }
        }
        Class<?> last = factory.get();
        return last == null ? null : loggerOf(last);
    }

    private @Nullable Object loggerOf(ClassLoader loader) {
        try {
            boolean hasProvider = loader.getResource(PROVIDER) != null || loader.getResource(BINDER) != null;
            // to ask would make SLF4J complain on standard error
            return hasProvider ? loggerOf(Class.forName(FACTORY, true, loader)) : null;
        } catch (Exception | LinkageError ignored) { // it has no SLF4J, or its application has ended
            return null;
        }
    }

    private @Nullable Object loggerOf(Class<?> slf4j) {
        try {
            ClassLoader home = slf4j.getClassLoader();
            Class<?> factoryType = Class.forName("org.slf4j.ILoggerFactory", false, home);
            Object made = MethodHandles.publicLookup()
                    .findStatic(slf4j, "getILoggerFactory", MethodType.methodType(factoryType))
                    .invoke();
            String kind = made == null ? "NOP" : made.getClass().getSimpleName();
            if (kind.startsWith("NOP") || kind.startsWith("Substitute")) { // without a provider, or not begun
                return null;
            }
            Class<?> type = Class.forName("org.slf4j.Logger", false, home);
            Object logger = MethodHandles.publicLookup()
                    .findStatic(slf4j, "getLogger", MethodType.methodType(type, String.class))
                    .invoke(name);
            factory = new WeakReference<>(slf4j);
            return logger;
        } catch (Throwable ignored) { // it has no SLF4J that can be used
            return null;
        }
    }

    /** A web application's or Spring Boot's own loader comes before that of the class path. */
    private static List<ClassLoader> applicationLoaders() {
        List<ClassLoader> loaders = new ArrayList<>();
        for (@Nullable Thread thread : ExecutorSearch.allThreads()) {
            ClassLoader loader = thread == null ? null : thread.getContextClassLoader();
            if (loader != null && loader != AgentLog.class.getClassLoader() && !loaders.contains(loader)) {
                loaders.add(loader);
            }
        }
        loaders.remove(ClassLoader.getSystemClassLoader());
        loaders.add(ClassLoader.getSystemClassLoader());
        return loaders;
    }

    private static boolean writeTo(Object logger, Level level, String text, @Nullable Throwable throwable) {
        String method = level.name().toLowerCase(java.util.Locale.ROOT);
        try {
            Class<?> type =
                    Class.forName("org.slf4j.Logger", false, logger.getClass().getClassLoader());
            MethodHandle write = MethodHandles.publicLookup()
                    .findVirtual(type, method, MethodType.methodType(void.class, String.class, Throwable.class));
            write.invoke(logger, text, throwable);
            return true;
        } catch (Throwable ignored) { // an appender that fails must not cost the line
            return false;
        }
    }

    @Override
    public boolean isTraceEnabled() {
        return false;
    }

    @Override
    public boolean isDebugEnabled() {
        return false;
    }

    @Override
    public boolean isInfoEnabled() {
        return true;
    }

    @Override
    public boolean isWarnEnabled() {
        return true;
    }

    @Override
    public boolean isErrorEnabled() {
        return true;
    }
}
