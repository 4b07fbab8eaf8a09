package io.lifeguard.pool.diagnosis.evidence.carrier;

import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Mounted;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Asks the JVM for its print of threads, which shows what is mounted on carriers. Confined to the monitor's thread.
 *
 * <p>A print stops all threads. It is asked for so rarely that it takes 0.2 % of the time.
 */
final class CarrierPrint {

    /** A print may take 0.2 % of the time until the next one. */
    private static final long COST_FACTOR = 500;

    private static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";

    private final LongSupplier nanos;
    private final Supplier<List<Mounted>> print;
    private long next;
    private boolean hasPrinted;
    private List<Mounted> printed = List.of(); // by the latest print
    private List<Mounted> latest = List.of(); // of these, what the print before showed, too

    CarrierPrint(LongSupplier nanos) {
        this(nanos, new Print());
    }

    CarrierPrint(LongSupplier nanos, Supplier<List<Mounted>> print) {
        this.nanos = nanos;
        this.print = print;
        this.next = nanos.getAsLong();
    }

    /**
     * {@return what is mounted, or was at the latest print while it is too early for another one} Takes a millisecond
     * for few platform threads, and twice as long where there is no earlier print: what keeps a carrier is seen in two
     * of them, and what has it for a moment is not. The first print loads all management beans of the JVM, because the
     * command has no other way. That counts for nothing, because it is not needed again.
     */
    List<Mounted> mounted() {
        if (nanos.getAsLong() - next < 0) {
            return latest;
        }
        if (!hasPrinted) {
            printed = print.get();
            hasPrinted = true;
        }
        long begin = nanos.getAsLong();
        List<Mounted> before = printed.isEmpty() ? print.get() : printed;
        printed = print.get();
        next = begin + COST_FACTOR * (nanos.getAsLong() - begin);
        List<Mounted> both = printed.stream()
                .filter(one -> before.stream().anyMatch(other -> isSame(one, other)))
                .toList();
        latest = both.isEmpty() ? printed : both;
        return latest;
    }

    /** Maybe another thread, and another line of the same method. */
    private static boolean isSame(Mounted one, Mounted other) {
        return one.why() == other.why() && method(one).equals(method(other));
    }

    private static String method(Mounted mounted) {
        return mounted.place().replaceFirst("\\(.*", "");
    }

    /** Forgets the latest print, because what it showed is over. */
    void forget() {
        printed = List.of();
        latest = List.of();
    }

    private static final class Print implements Supplier<List<Mounted>> {
        @Override
        public List<Mounted> get() {
            return print();
        }
    }

    private static List<Mounted> print() {
        try {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            Object print =
                    server.invoke(new ObjectName(COMMANDS), "threadPrint", new Object[] {new String[0]}, new String[] {
                        String[].class.getName()
                    });
            return MountedThreads.read(String.valueOf(print));
        } catch (JMException | RuntimeException e) { // the finding comes without a place
            return List.of();
        }
    }
}
