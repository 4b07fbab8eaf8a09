package io.lifeguard.pool.os;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory that looks like the root of a Linux system, as far as a test makes it so. */
final class FakeRoot {

    private final Path root;

    FakeRoot(Path root) {
        this.root = root;
    }

    Path path() {
        return root;
    }

    FakeRoot with(String file, String content) {
        try {
            Path path = root.resolve(file.substring(1));
            Files.createDirectories(path.getParent());
            Files.writeString(path, content);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
