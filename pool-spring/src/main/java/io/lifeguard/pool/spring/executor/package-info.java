/**
 * Executors that are beans: instrumented, declared by properties, or watched. Users build
 * {@link io.lifeguard.pool.spring.executor.InstrumentedThreadPoolTaskExecutor} and
 * {@link io.lifeguard.pool.spring.executor.InstrumentedThreadPoolTaskScheduler}; the other public types are for this
 * module only.
 */
@NullMarked
package io.lifeguard.pool.spring.executor;

import org.jspecify.annotations.NullMarked;
