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
 * A test of JUnit Jupiter fails if a finding about a pool of this JVM was raised while it ran. On a class it holds for each of its tests, and on an
 * annotation of your own wherever that stands.
 *
 * <p>One that was raised before, by another test or in a set-up method, and still stands does not count: a pool that was leaked or a task that
 * is stuck stays so, whichever test comes next. So put the annotation on the class, and no test is left out in which it can be raised.
 *
 * <p>The monitor's windows are shorter meanwhile, so that a test that works for a second is judged: see {@link #windowMillis()}.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(NoFindingsExtension.class)
public @interface NoFindings {

    /**
     * How bad a finding has to be.
     *
     * @return warnings and worse until told otherwise
     */
    Severity severity() default Severity.WARNING;

    /**
     * Findings that do not matter.
     *
     * @return their ids; none until told otherwise
     */
    String[] ignore() default {};

    /**
     * The pools that matter.
     *
     * @return their names, which hold also for those that were numbered because several contexts have a pool of that name ({@code orders#2}); all
     *     until told otherwise
     */
    String[] pools() default {};

    /**
     * How long the monitor's windows are while the test runs. A finding takes about six of them. Shorter ones see less in each, so more by chance.
     *
     * @return milliseconds, from 10 to 600,000; 100 until told otherwise
     */
    int windowMillis() default 100;
}
