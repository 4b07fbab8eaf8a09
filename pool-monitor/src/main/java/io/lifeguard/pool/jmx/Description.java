package io.lifeguard.pool.jmx;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a JMX client shows beside a bean, an attribute, an operation, or one of its parameters. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.PARAMETER})
@interface Description {

    /** {@return the words} */
    String value();

    /** {@return of a parameter: its name} */
    String name() default "";
}
