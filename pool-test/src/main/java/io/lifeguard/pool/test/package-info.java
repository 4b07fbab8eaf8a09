/** Asserts in tests that no thread pool had a finding. */
@NullMarked
package io.lifeguard.pool.test;

import org.jspecify.annotations.NullMarked;
