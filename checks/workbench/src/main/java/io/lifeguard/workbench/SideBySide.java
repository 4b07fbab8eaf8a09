package io.lifeguard.workbench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Does two things at a time, for what mostly waits. Stateless. */
public final class SideBySide {

    private SideBySide() {}

    /**
     * Returns the results in the order of the inputs, once there are all.
     *
     * @throws IllegalStateException if the function failed
     */
    public static <T, R> List<R> map(List<T> inputs, Function<T, R> function) {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Callable<R>> calls = inputs.stream()
                    .<Callable<R>>map(input -> () -> function.apply(input))
                    .toList();
            List<R> results = new ArrayList<>();
            for (Future<R> each : threads.invokeAll(calls)) {
                results.add(each.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getMessage(), e); // its text names the cause
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while threads work side by side", e);
        } finally {
            threads.shutdownNow();
        }
    }
}
