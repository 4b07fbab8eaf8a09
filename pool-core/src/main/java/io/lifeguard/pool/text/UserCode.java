package io.lifeguard.pool.text;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Calls users' code so that nothing it throws, errors included, reaches the caller. Reports the first failure of each
 * class. Thread-safe.
 */
public class UserCode {

    private static final int MOST_FAILURES = 1_000;

    private final BiConsumer<String, Throwable> report;

    // Class names, because a class would be kept alive. Written by any caller; a stale read cannot be.
    private final Set<String> failed = ConcurrentHashMap.newKeySet();

    /**
     * Guards users' code.
     *
     * @param report is given the name of what failed, and the failure, both safe for a log. Called once for each name,
     *     and for 1,000 names at most
     */
    public UserCode(BiConsumer<String, Throwable> report) {
        this.report = report;
    }

    /**
     * What the call returns.
     *
     * @param target the user's object, whose class is reported
     * @param otherwise what is returned if the call throws, or returns null against its contract
     * @param call the call
     */
    @SuppressWarnings("ConstantValue") // users' code is not checked for null
    public final <T> T call(Object target, T otherwise, Supplier<T> call) {
        try {
            T result = call.get();
            return result == null ? otherwise : result;
        } catch (Throwable e) {
            failed(target.getClass().getName(), e);
            return otherwise;
        }
    }

    /**
     * Runs the call.
     *
     * @param target the user's object, whose class is reported
     * @param call the call
     */
    public final void run(Object target, Runnable call) {
        call(target, true, () -> {
            call.run();
            return true;
        });
    }

    /**
     * The providers that can be loaded, in order. One that cannot be loaded does not hide those after it.
     *
     * @param loader finds the providers
     */
    public final <T> List<T> loadAll(ServiceLoader<T> loader) {
        List<T> loaded = new ArrayList<>();
        Iterator<ServiceLoader.Provider<T>> providers = loader.stream().iterator();
        boolean more = true;
        for (int failures = 0; more && failures < MOST_FAILURES; ) {
            try {
                more = providers.hasNext();
                if (more) {
                    loaded.add(providers.next().get());
                }
            } catch (Throwable e) {
                failures++; // a class loader that cannot read fails forever
                failed("A provider (" + textOf(e) + ")", e);
            }
        }
        return List.copyOf(loaded);
    }

    private static String textOf(Throwable failure) {
        try {
            return String.valueOf(failure.getMessage());
        } catch (Throwable e) {
            return failure.getClass().getName();
        }
    }

    private void failed(String who, Throwable failure) {
        try {
            if (failed.size() < MOST_FAILURES && failed.add(who)) {
                report.accept(LogText.clean(who), CleanFailure.of(failure));
            }
        } catch (Throwable ignored) {
            // a log that throws, or a failure that cannot say what it is, must not reach the caller
        }
    }
}
