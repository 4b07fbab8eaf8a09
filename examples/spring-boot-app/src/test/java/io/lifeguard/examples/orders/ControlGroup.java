package io.lifeguard.examples.orders;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A control group for the application alone, as a container has one; nothing where it cannot be made, which needs root
 * and a writable hierarchy.
 */
final class ControlGroup {

    private static final Path ROOT = Path.of("/sys/fs/cgroup");

    private final Path group;
    private final boolean there;

    private ControlGroup(Path group, boolean there) {
        this.group = group;
        this.there = there;
    }

    static ControlGroup make() {
        boolean old = Files.exists(ROOT.resolve("cpu/cpu.cfs_period_us"));
        Path group = ROOT.resolve(
                (old ? "cpu/" : "") + "lifeguard-app-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        try {
            Files.createDirectory(group);
        } catch (IOException notAllowed) {
            return new ControlGroup(group, false);
        }
        boolean there = Files.isWritable(group.resolve(old ? "cpu.cfs_quota_us" : "cpu.max"))
                && Files.isWritable(group.resolve("cgroup.procs"));
        ControlGroup made = new ControlGroup(group, there);
        if (!there) {
            made.remove();
        }
        return made;
    }

    boolean isThere() {
        return there;
    }

    /** What to put before a command, so that it runs in the group. */
    List<String> enter() {
        return there
                ? List.of("sh", "-c", "echo $$ > " + group.resolve("cgroup.procs") + " && exec \"$@\"", "enter")
                : List.of();
    }

    /** Its last process may need a moment to be gone. */
    void remove() {
        if (Files.exists(group)) {
            await().ignoreExceptions().until(() -> Files.deleteIfExists(group));
        }
    }
}
