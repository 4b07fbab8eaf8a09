/** The reports of the corpus. */
@NullMarked
package io.lifeguard.pool.corpus.report;

import org.jspecify.annotations.NullMarked;
