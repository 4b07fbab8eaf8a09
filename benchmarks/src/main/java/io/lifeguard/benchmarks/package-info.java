/** What Lifeguard's pools cost, beside the JDK's and others'. */
@NullMarked
package io.lifeguard.benchmarks;

import org.jspecify.annotations.NullMarked;
