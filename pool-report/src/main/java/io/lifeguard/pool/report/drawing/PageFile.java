package io.lifeguard.pool.report.drawing;

import java.nio.charset.StandardCharsets;

/**
 * A file for a browser.
 *
 * @param content its bytes; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // files are never compared
public record PageFile(String type, byte[] content) {

    public static PageFile of(String type, String text) {
        return new PageFile(type, text.getBytes(StandardCharsets.UTF_8));
    }
}
