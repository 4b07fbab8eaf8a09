/**
 * The jar audit: the same work on the same jars, once by a pool whose dispatcher runs tasks itself when the pool is
 * full, and once by a pool whose dispatcher waits. Start with {@link io.lifeguard.examples.jaraudit.JarAuditCommand}.
 */
@NullMarked
package io.lifeguard.examples.jaraudit;

import org.jspecify.annotations.NullMarked;
