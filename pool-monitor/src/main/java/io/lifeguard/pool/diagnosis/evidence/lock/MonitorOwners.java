package io.lifeguard.pool.diagnosis.evidence.lock;

import io.lifeguard.pool.diagnosis.evidence.stack.JvmHazards;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Who holds the monitors that threads wait for, by the JVM's dump of all its threads in JSON, which has them from Java
 * 25 on. Confined to the monitor's thread.
 *
 * <p>No dump is taken where it {@linkplain JvmHazards can crash the JVM}. The dump is pretty-printed with one value in
 * a line, so it is read by lines. A form that is not understood gives no holder.
 */
public final class MonitorOwners {

    private static final int FIRST = 25; // the Java version whose dumps tell the holders of monitors
    private static final String BEAN = "com.sun.management.HotSpotDiagnosticMXBean";

    private static final Pattern THREAD = Pattern.compile("^\\s*\"tid\": *\"?(\\d+)\"?,?$");
    private static final Pattern BLOCKED = Pattern.compile("^\\s*\"blockedOn\": *\"([^\"]+)\",?$");
    private static final Pattern OWNED = Pattern.compile("^\\s*\"monitorsOwned\": *\\[$");
    private static final Pattern LOCK = Pattern.compile("^\\s*\"([^\"]+@[0-9a-f]+)\",?$");

    private static final Pattern STACK = Pattern.compile("^\\s*\"stack\": *\\[$");
    private static final Pattern FRAME = Pattern.compile(
            "^\\s*\"(?:[^\"]*/(?!0x))?([^\"/(]+(?:/0x[^\"/(]+)?)\\.([^\".(]+)\\(([^\":)]*):?(\\d*)\\)\",?$");

    /** Every number of nine digits is an int; no source file has a billion lines. */
    private static final int MOST_DIGITS = 9;

    /** 64 MB, the dump of some 10,000 threads with deep stacks. */
    private static final long MOST_BYTES = 64L << 20;

    private final long mostBytes;
    private boolean isTooLarge; // from false to true
    private final Map<Long, String> wanted = new HashMap<>();
    private final Map<String, Long> owners = new HashMap<>();
    private final Map<Long, String> places = new HashMap<>(); // of owners

    MonitorOwners() {
        this(MOST_BYTES);
    }

    MonitorOwners(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** {@return why this JVM is not asked, as a clause; empty when it is} */
    public static String whyUnknown() {
        Runtime.Version version = Runtime.version();
        return version.feature() < FIRST
                ? "Java " + version.feature() + " does not tell it for virtual threads"
                : JvmHazards.ofVirtualDump();
    }

    /**
     * Takes a dump of all threads of the program. One that is too large is the last.
     *
     * @return how many threads it shows; 0 where none was taken or read
     */
    int read() {
        forget();
        if (isTooLarge) {
            return 0;
        }
        try {
            Path directory = Files.createTempDirectory("lifeguard-threads");
            Path file = directory.resolve("threads.json");
            try {
                dump(file);
                isTooLarge = Files.size(file) > mostBytes;
                if (!isTooLarge) {
                    try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
                        return read(lines.iterator());
                    }
                }
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(directory);
            }
        } catch (IOException | UncheckedIOException e) { // no directory for temporary files: no holder is known
            forget();
        }
        return 0;
    }

    void forget() {
        wanted.clear();
        owners.clear();
        places.clear();
    }

    /** {@return the monitor for which a thread waits; empty when it is unknown} */
    public String whatBlocks(long id) {
        return wanted.getOrDefault(id, "");
    }

    public OptionalLong holderOfWhatBlocks(long id) {
        String lock = wanted.get(id);
        Long owner = lock == null ? null : owners.get(lock);
        return owner == null ? OptionalLong.empty() : OptionalLong.of(owner);
    }

    /** {@return the line of code at which the holder of a monitor was; empty when it is unknown} */
    public String placeOf(long owner) {
        return places.getOrDefault(owner, "");
    }

    int read(Iterator<String> dump) {
        int threads = 0;
        long thread = -1;
        boolean isOwned = false;
        boolean isStack = false;
        List<StackTraceElement> stack = new ArrayList<>();
        while (dump.hasNext()) {
            String line = dump.next().replace("\\/", "/");
            Matcher frame = FRAME.matcher(line);
            Matcher begins = THREAD.matcher(line);
            Matcher blocked = BLOCKED.matcher(line);
            Matcher lock = LOCK.matcher(line);
            if (begins.matches()) {
                threads++;
                thread = Long.parseLong(begins.group(1));
                isOwned = false;
                stack = new ArrayList<>();
            } else if (STACK.matcher(line).matches()) {
                isStack = true;
            } else if (isStack && frame.matches()) {
                stack.add(new StackTraceElement(frame.group(1), frame.group(2), frame.group(3), line(frame.group(4))));
            } else if (blocked.matches()) {
                wanted.put(thread, blocked.group(1));
            } else if (OWNED.matcher(line).matches()) {
                isOwned = true;
                isStack = false;
            } else if (isOwned && lock.matches()) {
                owners.put(lock.group(1), thread);
                places.put(thread, UserFrames.place(stack));
            }
        }
        return threads;
    }

    /** A file may have any name, also one that looks like a line beyond all numbers. */
    private static int line(String number) {
        return number.isEmpty() || number.length() > MOST_DIGITS ? -1 : Integer.parseInt(number);
    }

    private static void dump(Path file) throws IOException {
        try {
            Class<? extends PlatformManagedObject> type = Class.forName(BEAN).asSubclass(PlatformManagedObject.class);
            Class<?> format = Class.forName(BEAN + "$ThreadDumpFormat");
            MethodHandle dump = MethodHandles.publicLookup()
                    .findVirtual(type, "dumpThreads", MethodType.methodType(void.class, String.class, format));
            Object json = MethodHandles.publicLookup()
                    .findStaticGetter(format, "JSON", format)
                    .invoke();
            dump.invoke(ManagementFactory.getPlatformMXBean(type), file.toString(), json);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IOException("the JVM cannot dump its threads", e);
        }
    }
}
