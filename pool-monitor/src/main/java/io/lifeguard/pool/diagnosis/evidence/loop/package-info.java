/** Event loops: what they do, how late they are, and what fills them. */
@NullMarked
package io.lifeguard.pool.diagnosis.evidence.loop;

import org.jspecify.annotations.NullMarked;
