/** What the corpus prints. */
@NullMarked
package io.lifeguard.pool.corpus.report;

import org.jspecify.annotations.NullMarked;
