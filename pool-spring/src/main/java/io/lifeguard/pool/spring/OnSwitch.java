package io.lifeguard.pool.spring;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Reads switches as they are bound: {@code on}, {@code yes} and {@code 1} are on too, where Boot's own condition takes whatever is not {@code true} for
 * off; and what is neither is an error. Stateless.
 */
final class OnSwitch extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        MergedAnnotation<ConditionalOnSwitch> wanted = metadata.getAnnotations().get(ConditionalOnSwitch.class);
        String key = wanted.getString("value");
        boolean isOn = isOn(context.getEnvironment(), key, wanted.getBoolean("unlessSet"));
        return new ConditionOutcome(
                isOn,
                ConditionMessage.forCondition(ConditionalOnSwitch.class).because(key + (isOn ? " is on" : " is off")));
    }

    /**
     * Whether a property is on.
     *
     * @throws BadPropertyException if it is neither on nor off
     */
    static boolean isOn(Environment environment, String key, boolean unlessSet) {
        try {
            return environment.getProperty(key, Boolean.class, unlessSet);
        } catch (ConversionException neither) {
            BadPropertyException bad = new BadPropertyException(
                    key, environment.getProperty(key), "be true or false", "Write true or false, or leave it out.");
            bad.initCause(neither);
            throw bad;
        }
    }
}
