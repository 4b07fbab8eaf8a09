/** Running JVMs of this machine, as the JDK's own {@code jcmd} reaches them. */
@NullMarked
package io.lifeguard.pool.tools.jvm;

import org.jspecify.annotations.NullMarked;
