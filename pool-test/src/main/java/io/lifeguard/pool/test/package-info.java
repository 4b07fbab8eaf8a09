/** Asserts in tests that no thread pool had a finding, and that code creates instrumented pools. */
@NullMarked
package io.lifeguard.pool.test;

import org.jspecify.annotations.NullMarked;
