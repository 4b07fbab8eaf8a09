package io.lifeguard.pool.test;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Severity;
import java.lang.reflect.AnnotatedElement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Records findings during a test that has {@link NoFindings}. Thread-safe: the recording of a test is in the test's
 * store.
 */
final class NoFindingsExtension implements BeforeTestExecutionCallback, AfterTestExecutionCallback {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(NoFindingsExtension.class);

    /** The recording of one test. */
    private record Recording(FindingRecorder recorder, NoFindings annotation) {}

    /** How many tests run. Guarded by the class. */
    private static int running;

    /** The length of the monitor's windows before the first of the tests that run. Guarded by the class. */
    private static Duration windowBefore = Duration.ZERO;

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        NoFindings annotation = annotationOf(context);
        if (annotation.atMost() == Severity.CRITICAL) {
            throw new ExtensionConfigurationException(
                    "@NoFindings(atMost = CRITICAL) tolerates every finding: choose INFO or WARNING, or remove it");
        }
        PoolMonitor monitor = PoolMonitor.global();
        Recording recording = new Recording(FindingRecorder.start(monitor), annotation);
        try {
            shorten(monitor, Duration.ofMillis(annotation.windowMillis()));
        } catch (IllegalArgumentException e) { // out of bounds
            recording.recorder().close();
            throw e;
        }
        context.getStore(NAMESPACE).put(Recording.class, recording);
    }

    /** Tests may overlap, and all have one monitor: the last of them restores what the first one found. */
    private static synchronized void shorten(PoolMonitor monitor, Duration window) {
        Duration before = monitor.window();
        monitor.window(window);
        if (running == 0) {
            windowBefore = before;
        }
        running++;
    }

    private static synchronized void restore(PoolMonitor monitor) {
        running--;
        if (running == 0) {
            monitor.window(windowBefore);
        }
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        Recording recording = context.getStore(NAMESPACE).remove(Recording.class, Recording.class);
        if (recording != null) {
            restore(PoolMonitor.global());
            recording.recorder().close();
            recording.recorder().assertNone(finding -> failsTest(finding, recording.annotation()));
        }
    }

    private static boolean failsTest(Finding finding, NoFindings annotation) {
        return finding.severity().compareTo(annotation.atMost()) > 0
                && !Set.of(annotation.ignore()).contains(finding.id())
                && (annotation.pools().length == 0
                        || Arrays.stream(annotation.pools()).anyMatch(name -> isCalled(finding.pool(), name)));
    }

    /** When two contexts declare a pool of one name, the second is called {@code name#2}. */
    private static boolean isCalled(String pool, String name) {
        return pool.equals(name)
                || (pool.startsWith(name + "#")
                        && pool.substring(name.length() + 1).chars().allMatch(Character::isDigit));
    }

    private static NoFindings annotationOf(ExtensionContext context) {
        return find(context.getRequiredTestMethod())
                .or(() -> findOnClass(context.getRequiredTestClass()))
                .orElseThrow(() -> new IllegalStateException("NoFindingsExtension needs @NoFindings"));
    }

    /** Looks at the class first, then at the classes that enclose it. */
    private static Optional<NoFindings> findOnClass(Class<?> type) {
        return find(type)
                .or(() -> Optional.<Class<?>>ofNullable(type.getEnclosingClass())
                        .flatMap(NoFindingsExtension::findOnClass));
    }

    /** Finds the annotation as JUnit does: also on an annotation of the user's own. */
    private static Optional<NoFindings> find(AnnotatedElement element) {
        return AnnotationSupport.findAnnotation(element, NoFindings.class);
    }
}
