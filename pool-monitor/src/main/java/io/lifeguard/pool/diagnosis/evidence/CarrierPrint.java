package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.diagnosis.window.CarrierLooks.Mounted;
import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Asks the JVM for its print of threads, which shows what is mounted on carriers. Stateless. */
final class CarrierPrint {

    private static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";

    /**
     * {@return what is mounted} Takes a millisecond for few platform threads. The first call loads all management beans
     * of the JVM, because the command has no other way.
     */
    List<Mounted> mounted() {
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
