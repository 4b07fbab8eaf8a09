/**
 * The command that runs the corpus. It plays labelled workloads, sick and healthy, and compares the findings with the
 * labels.
 */
@NullMarked
package io.lifeguard.pool.corpus;

import org.jspecify.annotations.NullMarked;
