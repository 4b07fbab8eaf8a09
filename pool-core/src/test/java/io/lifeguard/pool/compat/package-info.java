/**
 * The compatibility suite: what users of {@link java.util.concurrent.ThreadPoolExecutor},
 * {@link java.util.concurrent.ScheduledThreadPoolExecutor} and {@link java.util.concurrent.Executors} rely on, checked
 * on the stock classes and on ours by the same methods. A check is a method that takes a fixture; the parameterised
 * tests run it on every class that must pass, {@link io.lifeguard.pool.compat.WrongPoolsTest} on pools that must not.
 */
@NullMarked
package io.lifeguard.pool.compat;

import org.jspecify.annotations.NullMarked;
