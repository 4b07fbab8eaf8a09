/**
 * From measurements to causes: the windows between two snapshots, the rules that judge them, and the findings that come
 * out. Nothing in {@code io.lifeguard.pool} knows of this package; it is started by {@link java.util.ServiceLoader}
 * with the first task of a pool.
 */
@NullMarked
package io.lifeguard.pool.diagnosis;

import org.jspecify.annotations.NullMarked;
