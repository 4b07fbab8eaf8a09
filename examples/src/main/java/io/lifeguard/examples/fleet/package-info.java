/**
 * One instance of an application with sick thread pools, whose metrics Prometheus reads. A fleet has several of them.
 */
@NullMarked
package io.lifeguard.examples.fleet;

import org.jspecify.annotations.NullMarked;
