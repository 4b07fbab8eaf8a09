package io.lifeguard.pool.live;

import io.lifeguard.pool.report.drawing.PageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers requests with the files of a site, as HTTP 1.1. Has no mutable state of its own. */
final class Answers {

    /**
     * A page of another site can make a browser send requests here under a name of its own, which leads to this
     * address. So the name must be the one of this machine, or an address.
     */
    private static final Pattern OWN_HOST =
            Pattern.compile("(localhost|[a-z0-9-]+\\.localhost|[0-9.]+|\\[[0-9a-f:.]+])(:\\d+)?");

    private final Site site;
    private final String headers;

    Answers(Site site, String policy) {
        this.site = site;
        this.headers = header("Cache-Control", "no-store")
                + header("X-Content-Type-Options", "nosniff")
                + header("Referrer-Policy", "no-referrer")
                + header("Cross-Origin-Resource-Policy", "same-origin")
                + header("Content-Security-Policy", policy)
                + header("Connection", "close");
    }

    ByteBuffer[] answer(Request request) {
        if (!OWN_HOST.matcher(request.host().toLowerCase(Locale.ROOT)).matches()) {
            return text(403, "Forbidden", "The name of this server is localhost.", request);
        } else if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return answer(
                    "405 Method Not Allowed" + "\r\nAllow: GET, HEAD", plain("Only GET and HEAD are allowed."), true);
        }
        return find(request);
    }

    /** {@return the answer to what is not understood} */
    ByteBuffer[] refusal(int status, String why) {
        String reason = status == 431 ? "Request Header Fields Too Large" : "Bad Request";
        return answer(status + " " + reason, plain(why), true);
    }

    private ByteBuffer[] find(Request request) {
        @Nullable PageFile file;
        try {
            file = site.find(request.path(), request.query());
        } catch (IllegalArgumentException e) {
            return text(400, "Bad Request", String.valueOf(e.getMessage()), request);
        } catch (RuntimeException | IOException e) {
            Log.LOG.warn("The page cannot be made: {}", e.toString(), e);
            return text(
                    500,
                    "Internal Server Error",
                    "The page cannot be made: " + e.getClass().getName(),
                    request);
        }
        return file == null
                ? text(404, "Not Found", "There is no such page.", request)
                : answer("200 OK", file, !request.method().equals("HEAD"));
    }

    private ByteBuffer[] text(int status, String reason, String text, Request request) {
        return answer(status + " " + reason, plain(text), !request.method().equals("HEAD"));
    }

    private static PageFile plain(String text) {
        return PageFile.of("text/plain;charset=UTF-8", text);
    }

    private ByteBuffer[] answer(String status, PageFile file, boolean withBody) {
        String head = "HTTP/1.1 " + status + "\r\n" + headers + header("Content-Type", file.type())
                + header("Content-Length", String.valueOf(file.content().length))
                + "\r\n";
        return new ByteBuffer[] {
            ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)),
            ByteBuffer.wrap(withBody ? file.content() : new byte[0])
        };
    }

    private static String header(String name, String value) {
        return name + ": " + value + "\r\n";
    }

    /** Apart, so that the logging library is loaded with the first message. */
    private static final class Log {
        static final Logger LOG = LoggerFactory.getLogger("io.lifeguard.pool.diagnosis");
    }
}
