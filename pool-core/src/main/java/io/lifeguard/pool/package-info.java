/**
 * Thread pools that measure every task: executors, their factories and builder, saturation policies, and the snapshot
 * of a pool.
 *
 * <p>Begin with one of three:
 *
 * <ul>
 *   <li>{@link io.lifeguard.pool.InstrumentedExecutors} has the factories of {@link java.util.concurrent.Executors},
 *       method for method.
 *   <li>{@link io.lifeguard.pool.InstrumentedThreadPoolExecutor#named} builds a pool with a name, a size, a queue and a
 *       policy.
 *   <li>{@link io.lifeguard.pool.InstrumentedThreadPoolExecutor} and
 *       {@link io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor} replace the executors of the JDK, also as
 *       superclasses.
 * </ul>
 *
 * <p>{@link io.lifeguard.pool.BlockingWaitPolicy} makes submitters wait while a pool is full.
 * {@link io.lifeguard.pool.Tasks} names tasks. Every pool is an {@link io.lifeguard.pool.InstrumentedPool}, whose
 * {@link io.lifeguard.pool.PoolSnapshot} holds all counts and times. {@link io.lifeguard.pool.Pools} lists the live
 * pools, and {@link io.lifeguard.pool.PoolListener} receives the events of one pool.
 *
 * <p>A task takes these steps through this package:
 *
 * <ol>
 *   <li>A submitter calls {@code execute}. The queue keeps the time of acceptance beside the task.
 *   <li>If the queue is full, the saturation policy decides: the submitter waits, runs the task itself, or gets an
 *       exception. Each of these is counted and timed.
 *   <li>A worker takes the task and runs it. The worker records queue wait, service time and CPU time in counters that
 *       only this worker writes.
 *   <li>{@code snapshot()} adds up the counters of all workers. A reader never slows or blocks a worker.
 * </ol>
 *
 * <p>Work-stealing pools and pools with a thread per task have no workers to follow. Their tasks are wrapped and
 * measure themselves.
 */
@NullMarked
package io.lifeguard.pool;

import org.jspecify.annotations.NullMarked;
