package io.lifeguard.pool.test;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.lang.reflect.AnnotatedElement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** What {@link NoFindings} does. Stateless: what belongs to a test is in its store. */
final class NoFindingsExtension implements BeforeTestExecutionCallback, AfterTestExecutionCallback {

    private static final ExtensionContext.Namespace MINE = ExtensionContext.Namespace.create(NoFindingsExtension.class);

    /** What is to be undone after a test, and asked. */
    private record Watch(FindingRecorder recorder, Duration windowBefore, NoFindings wanted) {}

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        NoFindings wanted = wanted(context);
        PoolMonitor monitor = PoolMonitor.global();
        Watch watch = new Watch(FindingRecorder.start(monitor), monitor.window(), wanted);
        context.getStore(MINE).put(Watch.class, watch);
        monitor.window(Duration.ofMillis(wanted.windowMillis()));
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        Watch watch = context.getStore(MINE).remove(Watch.class, Watch.class);
        if (watch != null) {
            PoolMonitor.global().window(watch.windowBefore());
            watch.recorder().close();
            watch.recorder().assertNone(finding -> matters(finding, watch.wanted()));
        }
    }

    private static boolean matters(Finding finding, NoFindings wanted) {
        return finding.severity().compareTo(wanted.severity()) >= 0
                && !Set.of(wanted.ignore()).contains(finding.id())
                && (wanted.pools().length == 0
                        || Arrays.stream(wanted.pools()).anyMatch(name -> isCalled(finding.pool(), name)));
    }

    /** A pool of a second context that lives at the same time is called {@code name#2}. */
    private static boolean isCalled(String pool, String name) {
        return pool.equals(name)
                || (pool.startsWith(name + "#")
                        && pool.substring(name.length() + 1).chars().allMatch(Character::isDigit));
    }

    private static NoFindings wanted(ExtensionContext context) {
        return of(context.getRequiredTestMethod())
                .or(() -> ofClass(context.getRequiredTestClass()))
                .orElseThrow(() -> new IllegalStateException("registered without @NoFindings"));
    }

    /** The class's own, or that of the class that it is nested in. */
    private static Optional<NoFindings> ofClass(Class<?> type) {
        return of(type).or(() ->
                Optional.<Class<?>>ofNullable(type.getEnclosingClass()).flatMap(NoFindingsExtension::ofClass));
    }

    /** As JUnit finds it, also where an annotation of the user's bears it. */
    private static Optional<NoFindings> of(AnnotatedElement element) {
        return AnnotationSupport.findAnnotation(element, NoFindings.class);
    }
}
