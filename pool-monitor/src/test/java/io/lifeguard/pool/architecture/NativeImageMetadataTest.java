package io.lifeguard.pool.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The metadata for native images names what the code of pool-core and pool-monitor reaches by name. */
class NativeImageMetadataTest {

    private static final List<Path> MODULES = List.of(Path.of("../pool-core"), Path.of("../pool-monitor"));

    /** Methods of the JDK that find a class or a member by its name. Services are found by native images themselves. */
    private static final Set<String> BY_NAME = Set.of(
            "forName",
            "loadClass",
            "getDeclaredMethod",
            "getDeclaredField",
            "getField",
            "findVarHandle",
            "findVirtual",
            "findStatic",
            "findSpecial",
            "findStaticGetter",
            "newUpdater");

    /** Classes that do so, and types of the metadata without which they do not work. */
    private static final Set<String> KNOWN = Set.of(
            "NativeThread java.lang.BaseVirtualThread",
            "VirtualThreads java.lang.Thread$Builder$OfVirtual",
            "InstrumentedForkJoinPool$Java25 java.util.concurrent.ForkJoinPool",
            "IdleWorkers io.lifeguard.pool.queue.IdleWorkers",
            "Positions$End io.lifeguard.pool.queue.Positions$End",
            "Segment io.lifeguard.pool.queue.Segment",
            "SegmentQueue io.lifeguard.pool.queue.SegmentQueue",
            "ShortLock io.lifeguard.pool.queue.ShortLock",
            "WaitingProducers io.lifeguard.pool.queue.WaitingProducers",
            "WorkQueue io.lifeguard.pool.queue.WorkQueue",
            "SharedRecorder$Stripe io.lifeguard.pool.measure.SharedRecorder$Stripe",
            "MonitorOwners com.sun.management.HotSpotDiagnosticMXBean",
            "EventFactories jdk.jfr.Throttle",
            "JvmHazards java.lang.VirtualThread",
            "Scheduler jdk.management.VirtualThreadSchedulerMXBean",
            "JBossReader$OfXnio org.jboss.threads.EnhancedQueueExecutor",
            "JBossReader$OfXnio org.xnio.management.XnioWorkerMXBean",
            "ClassMonitor -", // looks for classes of the user; what is not found is unknown
            "WaitsInOrder -"); // likewise

    @Test
    void everyClass_thatFindsByName_isKnown() throws IOException {
        Set<String> known = new TreeSet<>();
        KNOWN.forEach(line -> known.add(line.split(" ")[0]));

        assertThat(classesThatFindByName()).isEqualTo(known);
    }

    @Test
    void metadata_namesWhatIsFound() throws IOException {
        String metadata = metadata();

        for (String line : KNOWN) {
            String type = line.split(" ")[1];
            assertThat(type.equals("-") || metadata.contains('"' + type + '"'))
                    .as(type)
                    .isTrue();
        }
    }

    /** A class or a field that was renamed would be missing in an image, and nobody would notice. */
    @Test
    void metadata_ofOwnClasses_isTrue() throws Exception {
        var entry = Pattern.compile("\"name\": \"(io\\.lifeguard[^\"]*)\", \"fields\": \\[([^]]*)]")
                .matcher(metadata());
        int fields = 0;
        while (entry.find()) {
            Class<?> type = Class.forName(entry.group(1), false, getClass().getClassLoader());
            var field = Pattern.compile("\"name\": \"(\\w+)\"").matcher(entry.group(2));
            for (; field.find(); fields++) {
                assertThat(type.getDeclaredField(field.group(1))).isNotNull();
            }
        }
        assertThat(fields).isGreaterThan(8);
    }

    private static String metadata() throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path module : MODULES) {
            text.append(Files.readString(module.resolve(Path.of(
                    "src/main/resources/META-INF/native-image/io.lifeguard",
                    module.getFileName().toString(),
                    "reflect-config.json"))));
        }
        return text.toString();
    }

    private static Set<String> classesThatFindByName() throws IOException {
        Set<String> found = new TreeSet<>();
        for (Path module : MODULES) {
            try (Stream<Path> files = Files.walk(module.resolve("target/classes/io"))) {
                files.filter(file -> file.toString().endsWith(".class")).forEach(file -> read(file, found));
            }
        }
        return found;
    }

    private static void read(Path file, Set<String> found) {
        String name = file.getFileName().toString().replace(".class", "");
        ClassVisitor visitor = new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String type, String generic, String[] raised) {
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitMethodInsn(
                            int opcode, String owner, String called, String descriptor, boolean isInterface) {
                        if (owner.startsWith("java/lang/") && BY_NAME.contains(called)
                                || owner.startsWith("java/util/concurrent/atomic/") && called.equals("newUpdater")) {
                            found.add(name);
                        }
                    }
                };
            }
        };
        try {
            new ClassReader(Files.readAllBytes(file)).accept(visitor, ClassReader.SKIP_DEBUG);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
