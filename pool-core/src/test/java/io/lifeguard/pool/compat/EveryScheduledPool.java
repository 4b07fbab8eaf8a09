package io.lifeguard.pool.compat;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * A check of the contract of {@link java.util.concurrent.ScheduledThreadPoolExecutor}, run on that class and on this
 * library's.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{0}", autoCloseArguments = true)
@ArgumentsSource(EveryScheduledPool.Fixtures.class)
@Timeout(120)
@interface EveryScheduledPool {

    /** The classes that must pass. */
    class Fixtures implements ArgumentsProvider {

        @Override
        public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
            return Stream.of(ScheduledMaker.STOCK, ScheduledMaker.INSTRUMENTED)
                    .map(maker -> Arguments.of(new ScheduledFixture(maker)));
        }
    }
}
