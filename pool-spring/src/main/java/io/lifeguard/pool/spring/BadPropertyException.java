package io.lifeguard.pool.spring;

import org.jspecify.annotations.Nullable;

/** A property has a value that cannot be. Immutable. */
@SuppressWarnings("serial") // nobody serialises it
final class BadPropertyException extends RuntimeException {

    private final String key;
    private final String bound;
    private final String remedy;

    /**
     * Makes the exception.
     *
     * @param key the property
     * @param value its value
     * @param bound what holds for the value, to be read after "must"
     * @param remedy what to do, a sentence
     */
    BadPropertyException(String key, @Nullable Object value, String bound, String remedy) {
        super(key + " must " + bound + " (was " + value + ")");
        this.key = key;
        this.bound = bound;
        this.remedy = remedy;
    }

    String key() {
        return key;
    }

    String bound() {
        return bound;
    }

    String remedy() {
        return remedy;
    }
}
