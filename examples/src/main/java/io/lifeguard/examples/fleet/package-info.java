/** One instance of an application that a fleet has many of: pools at work, one of them sick, and a page that Prometheus reads. */
@NullMarked
package io.lifeguard.examples.fleet;

import org.jspecify.annotations.NullMarked;
