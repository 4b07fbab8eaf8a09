/**
 * The problems that an application's thread pools can have: one class for each finding in Lifeguard's catalogue. Active
 * only with Spring's profile {@code clinic}.
 */
@NullMarked
package io.lifeguard.examples.orders.sickness;

import org.jspecify.annotations.NullMarked;
