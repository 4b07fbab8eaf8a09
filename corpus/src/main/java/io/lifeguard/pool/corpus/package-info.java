/** The command that runs the corpus: labelled workloads, sick and healthy, and what the diagnosis says of them. */
@NullMarked
package io.lifeguard.pool.corpus;

import org.jspecify.annotations.NullMarked;
