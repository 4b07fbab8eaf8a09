/**
 * The compatibility suite. It checks the behaviour that users of {@link java.util.concurrent.ThreadPoolExecutor},
 * {@link java.util.concurrent.ScheduledThreadPoolExecutor} and {@link java.util.concurrent.Executors} rely on. The same
 * checks run on the JDK's classes and on the classes of this library.
 *
 * <p>A check is a method that takes a fixture. The parameterised tests run it on every class that must pass.
 * {@link io.lifeguard.pool.compat.WrongPoolsTest} runs it on pools that must not pass.
 */
@NullMarked
package io.lifeguard.pool.compat;

import org.jspecify.annotations.NullMarked;
