/**
 * What the JVM tells pools of threads: the operating system's number of a thread, its CPU time, and virtual threads.
 * Figures that the system does not provide are "unknown", and nothing fails.
 */
@NullMarked
package io.lifeguard.pool.os;

import org.jspecify.annotations.NullMarked;
