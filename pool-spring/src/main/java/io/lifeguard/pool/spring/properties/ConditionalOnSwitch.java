package io.lifeguard.pool.spring.properties;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * A configuration that applies only while a boolean property is on. The property is bound, so {@code on}, {@code yes}
 * and {@code 1} are on too; Boot's own {@code ConditionalOnBooleanProperty} treats everything except {@code true} as
 * off.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnSwitch.OnSwitch.class)
public @interface ConditionalOnSwitch {

    /** The key of the property. */
    String value();

    /** Whether the configuration applies if the property is not set. */
    boolean matchIfMissing() default true;

    /** Evaluates the annotation. Stateless. */
    final class OnSwitch extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            MergedAnnotation<ConditionalOnSwitch> annotation =
                    metadata.getAnnotations().get(ConditionalOnSwitch.class);
            String key = annotation.getString("value");
            boolean isOn =
                    LifeguardBinding.isOn(context.getEnvironment(), key, annotation.getBoolean("matchIfMissing"));
            return new ConditionOutcome(isOn, key + (isOn ? " is on" : " is off"));
        }
    }
}
