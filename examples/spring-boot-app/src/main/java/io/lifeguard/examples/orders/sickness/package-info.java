/**
 * What can be wrong with an application's thread pools: one class for each finding of the lifeguard's catalogue. Only with Spring's profile
 * {@code clinic}.
 */
@NullMarked
package io.lifeguard.examples.orders.sickness;

import org.jspecify.annotations.NullMarked;
