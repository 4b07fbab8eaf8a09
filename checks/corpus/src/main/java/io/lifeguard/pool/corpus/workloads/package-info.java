/**
 * The workloads by topic, each with its label: the findings that it must produce. Most other findings would be false.
 */
@NullMarked
package io.lifeguard.pool.corpus.workloads;

import org.jspecify.annotations.NullMarked;
