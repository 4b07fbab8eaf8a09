package io.lifeguard.pool.live;

import io.lifeguard.pool.report.drawing.PageFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What a {@link LoopbackServer} answers with. */
@FunctionalInterface
public interface Site {

    /**
     * {@return a file; null when there is none of that name}
     *
     * @param name the path without the slash before it; empty for the root
     * @param query what follows the question mark; null without one
     * @throws IllegalArgumentException if the query is wrong; the client gets the message
     * @throws IOException if the file cannot be made
     */
    @Nullable
    PageFile find(String name, @Nullable String query) throws IOException;
}
