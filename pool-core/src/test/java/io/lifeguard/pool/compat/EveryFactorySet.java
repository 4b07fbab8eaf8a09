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
 * A check of the contract of {@link java.util.concurrent.Executors}, run on that class and on
 * {@code InstrumentedExecutors}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{0}", autoCloseArguments = true)
@ArgumentsSource(EveryFactorySet.Fixtures.class)
@Timeout(120)
@interface EveryFactorySet {

    /** The classes that must pass. */
    class Fixtures implements ArgumentsProvider {

        @Override
        public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
            return Stream.of(FactorySet.STOCK, FactorySet.INSTRUMENTED)
                    .map(set -> Arguments.of(new FactoryFixture(set)));
        }
    }
}
