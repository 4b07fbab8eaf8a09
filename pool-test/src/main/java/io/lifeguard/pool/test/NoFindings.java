package io.lifeguard.pool.test;

import io.lifeguard.pool.diagnosis.Severity;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Makes a JUnit Jupiter test fail if the monitor of this JVM raises a finding about a pool while the test runs. On a
 * class, it applies to each test of the class. It may also stand on an annotation of your own.
 *
 * <p>A finding that was raised earlier does not count, even if it still stands. A leaked pool or a stuck task stays,
 * whichever test comes next. So annotate every class whose tests can raise a finding.
 *
 * <p>All tests have one monitor. So a finding about a pool of a test that runs at the same time counts, too, unless
 * {@link #pools()} leaves it out.
 *
 * <p>While the test runs, the monitor's windows are shorter than usual, so that a test of one second is judged: see
 * {@link #windowMillis()}.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(NoFindingsExtension.class)
public @interface NoFindings {

    /**
     * The worst severity that the test tolerates. Findings up to this severity pass, more severe findings make the test
     * fail.
     *
     * <p>{@link Severity#CRITICAL} would tolerate everything. A test that is annotated so fails at once.
     *
     * @return {@link Severity#INFO} by default: warnings and critical findings make the test fail
     */
    Severity atMost() default Severity.INFO;

    /**
     * The ids of findings that the test tolerates, whatever their severity.
     *
     * @return none by default
     */
    String[] ignore() default {};

    /**
     * The names of the pools to which the test pays attention. A name also stands for the numbered pools of that name,
     * for instance {@code orders#2}, which exist when several contexts declare the same pool.
     *
     * @return all pools by default
     */
    String[] pools() default {};

    /**
     * The length of the monitor's windows while the test runs. A finding needs about six windows. The shorter a window,
     * the fewer tasks it sees, and the more often a finding is due to chance.
     *
     * @return milliseconds, from 10 to 600,000; 100 by default
     */
    int windowMillis() default 100;
}
