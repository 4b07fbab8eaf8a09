package io.lifeguard.pool.spring;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/** A configuration that counts only while a property is on, see {@link OnSwitch}. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnSwitch.class)
@interface ConditionalOnSwitch {

    /** The key of the property. */
    String value();

    /** Whether it is on where it is not set. */
    boolean unlessSet() default true;
}
