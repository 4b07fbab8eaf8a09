/** What limits a pool's throughput. The heuristics of the rules, not for users. */
@NullMarked
package io.lifeguard.pool.diagnosis.bottleneck;

import org.jspecify.annotations.NullMarked;
