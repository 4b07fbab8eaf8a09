/**
 * Races between a worker and readers of its record. They are in its package, because the constructors are not public.
 */
@NullMarked
package io.lifeguard.pool.measure;

import org.jspecify.annotations.NullMarked;
