/** What tests share: a fixture that joins every pool and fails on a leaked thread, gates, and named spans of time. */
@NullMarked
package io.lifeguard.pool.testing;

import org.jspecify.annotations.NullMarked;
