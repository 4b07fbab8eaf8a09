package io.lifeguard.pool.report.drawing;

import java.nio.charset.StandardCharsets;

/**
 * A file for a browser.
 *
 * @param type its media type
 * @param content its bytes; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // files are never compared
public record PageFile(String type, byte[] content) {

    /** {@return a file with this text, as UTF-8} */
    public static PageFile of(String type, String text) {
        return new PageFile(type, text.getBytes(StandardCharsets.UTF_8));
    }
}
