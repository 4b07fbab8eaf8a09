/**
 * What the corpus, the benchmarks and the sick application have in common: work of a given size, virtual machines to do
 * it in, and tables of what became of it.
 */
@NullMarked
package io.lifeguard.workbench;

import org.jspecify.annotations.NullMarked;
