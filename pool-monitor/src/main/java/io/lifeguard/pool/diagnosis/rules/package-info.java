/**
 * The rules that come with the library. Each finding has a class that is named after it, and two findings have a second
 * one.
 */
@NullMarked
package io.lifeguard.pool.diagnosis.rules;

import org.jspecify.annotations.NullMarked;
