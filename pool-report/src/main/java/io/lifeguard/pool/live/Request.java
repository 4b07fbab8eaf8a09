package io.lifeguard.pool.live;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request without its body. Immutable.
 *
 * @param path the decoded path, without the slash before it
 * @param query what follows the question mark; null without one
 * @param host the value of the header {@code Host}; empty without one
 */
record Request(String method, String path, @Nullable String query, String host) {

    private static final String END_OF_LINE = "\r\n";
    private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /**
     * {@return how many bytes the head of the request takes, with the empty line at its end; 0 while it is not
     * complete}
     */
    static int headLength(byte[] bytes, int length) {
        for (int i = END_OF_HEAD.length; i <= length; i++) {
            boolean isEnd = true;
            for (int k = 0; k < END_OF_HEAD.length; k++) {
                isEnd &= bytes[i - END_OF_HEAD.length + k] == END_OF_HEAD[k];
            }
            if (isEnd) {
                return i;
            }
        }
        return 0;
    }

    /**
     * {@return the request with this head}
     *
     * @throws IllegalArgumentException if it is no request of HTTP 1.0 or 1.1, or has several {@code Host} headers
     */
    static Request parse(byte[] bytes, int headLength) {
        String head = new String(bytes, 0, headLength - END_OF_HEAD.length, StandardCharsets.ISO_8859_1);
        String[] lines = head.split(END_OF_LINE, -1);
        String[] first = lines[0].split(" ", -1);
        if (first.length != 3 || !first[2].matches("HTTP/1\\.[01]")) {
            throw new IllegalArgumentException("This is no request of HTTP 1.0 or 1.1.");
        }
        List<String> hosts = new ArrayList<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            String name = colon < 0 ? "" : lines[i].substring(0, colon).toLowerCase(Locale.ROOT);
            if (!name.matches("[!-9;-~]+")) {
                throw new IllegalArgumentException("A header has a name without blanks, and a colon.");
            }
            if (name.equals("host")) {
                hosts.add(lines[i].substring(colon + 1).strip());
            }
        }
        if (hosts.size() > 1) {
            throw new IllegalArgumentException("A request has one Host header (was " + hosts.size() + ").");
        }
        URI target = target(first[1]);
        String path = target.getPath() == null ? "" : target.getPath();
        return new Request(
                first[0],
                path.startsWith("/") ? path.substring(1) : path,
                target.getRawQuery(),
                hosts.isEmpty() ? "" : hosts.get(0));
    }

    private static URI target(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("The address is not valid.", e);
        }
    }
}
