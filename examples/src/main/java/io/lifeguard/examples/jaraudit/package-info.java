/**
 * The jar audit. Two pools do the same work on the same jars: when the pool is full, the dispatcher of the first runs
 * tasks itself, and the dispatcher of the second waits. Start with
 * {@link io.lifeguard.examples.jaraudit.JarAuditCommand}.
 */
@NullMarked
package io.lifeguard.examples.jaraudit;

import org.jspecify.annotations.NullMarked;
