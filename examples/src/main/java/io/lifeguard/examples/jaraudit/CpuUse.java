package io.lifeguard.examples.jaraudit;

/**
 * Who used the processors for a while, as shares of all of them. Immutable.
 *
 * @param own what this program used, from 0 to 1; NaN when unknown
 * @param others what everybody else used, from 0 to 1; NaN when unknown
 */
record CpuUse(double own, double others) {}
