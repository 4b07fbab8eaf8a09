/** Recipes for OpenRewrite that replace the thread pools of a code base by instrumented ones. */
@NullMarked
package io.lifeguard.pool.rewrite;

import org.jspecify.annotations.NullMarked;
