package io.lifeguard.examples.jaraudit;

/**
 * The shares of the machine's processors that this program and others used for a while. Immutable.
 *
 * @param own the share that this program used, from 0 to 1; NaN if unknown
 * @param others the share that all other programs used, from 0 to 1; NaN if unknown
 */
record CpuUse(double own, double others) {}
