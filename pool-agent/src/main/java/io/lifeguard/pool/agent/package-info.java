/** The Java agent: what the JVM starts. It loads the library with a class loader of its own. */
@NullMarked
package io.lifeguard.pool.agent;

import org.jspecify.annotations.NullMarked;
