package io.lifeguard.pool.benchmarks.harness;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** The facts about the machine that a reader needs, without names and paths. */
public final class MachineFacts {
    private static final long GIB = 1L << 30;

    private MachineFacts() {}

    public static Map<String, String> of(String java) {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("processors", "%d × %s".formatted(system.getAvailableProcessors(), processorModel()));
        facts.put("memory", "%d GiB".formatted(Math.round((double) system.getTotalMemorySize() / GIB)));
        facts.put("system", "%s %s, %s".formatted(system.getName(), system.getVersion(), system.getArch()));
        facts.put("Java", java);
        return facts;
    }

    private static String processorModel() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse("unknown processor");
        } catch (IOException e) {
            return "unknown processor"; // not Linux
        }
    }
}
