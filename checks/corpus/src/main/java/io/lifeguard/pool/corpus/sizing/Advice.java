package io.lifeguard.pool.corpus.sizing;

import io.lifeguard.pool.diagnosis.sizing.Sizing;
import java.util.Map;
import java.util.TreeMap;

/**
 * The advice from the windows at one size. Immutable.
 *
 * @param from the size at which the windows were taken
 * @param recommended the recommended size
 * @param book the result of the book formula; infinite when tasks burn no CPU
 * @param curve predicted throughput at each swept size
 */
record Advice(int from, int recommended, double book, Map<Integer, Double> curve) {

    static Advice of(int from, Sizing sizing, Iterable<Integer> sizes) {
        Map<Integer, Double> curve = new TreeMap<>();
        for (int size : sizes) {
            curve.put(size, sizing.curve().at(size).throughput());
        }
        return new Advice(from, sizing.recommendedSize(), sizing.bookFormula(), curve);
    }
}
