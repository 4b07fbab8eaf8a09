/** Help for tests: no pool had a finding. */
@NullMarked
package io.lifeguard.pool.test;

import org.jspecify.annotations.NullMarked;
