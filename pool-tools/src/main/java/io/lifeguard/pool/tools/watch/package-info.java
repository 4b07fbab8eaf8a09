/**
 * Looks at other JVMs of this machine: takes their thread dumps, finds their pools, and has the library's rules judge
 * them. Does not use the command line.
 */
@NullMarked
package io.lifeguard.pool.tools.watch;

import org.jspecify.annotations.NullMarked;
