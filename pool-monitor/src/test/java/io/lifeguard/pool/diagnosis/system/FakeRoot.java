package io.lifeguard.pool.diagnosis.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory that stands for the root of a Linux system. A test writes the files that it needs. */
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
