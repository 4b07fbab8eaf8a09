package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.evidence.stack.ClassInitialisation;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Mounted;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Why;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells why virtual threads keep their carriers, by their stacks. Stateless. */
final class KeptThreads {

    private static final String CONTINUATION = "jdk.internal.vm.Continuation";

    private KeptThreads() {}

    /**
     * {@return what the carriers carry}
     *
     * @param carriers those that carry something; before JDK 24 without the stack of what they carry
     * @param virtual a dump with virtual threads, or null
     * @param stand whether the carriers use no CPU. A thread in Java code then waits for a monitor or an initialisation
     * @param leavesAtMonitors whether a thread at a monitor gives its carrier back, as since JDK 24. One that keeps it
     *     has native frames below, as in a call from native code
     */
    static List<Mounted> of(
            List<DumpedThread> carriers, @Nullable ThreadDump virtual, boolean stand, boolean leavesAtMonitors) {
        List<Mounted> kept = new ArrayList<>();
        for (DumpedThread carrier : carriers) {
            boolean isShown = !carrier.stack().get(0).getClassName().equals(CONTINUATION);
            if (isShown) {
                kept.add(mounted(carrier, carrier.name(), stand));
            }
        }
        if (kept.isEmpty() && virtual != null) {
            virtual.threads().stream()
                    .filter(thread -> thread.isVirtual() && !isParked(thread))
                    .limit(carriers.size())
                    .forEach(thread -> kept.add(mounted(thread, "", stand)));
        }
        List<Mounted> known =
                stand ? kept.stream().map(each -> awaiting(each, kept)).toList() : kept;
        return leavesAtMonitors
                ? known.stream().map(KeptThreads::withoutMonitor).toList()
                : known;
    }

    private static Mounted withoutMonitor(Mounted one) {
        return one.why() == Why.MONITOR
                ? new Mounted(one.carrier(), Why.NATIVE, one.place(), one.object(), one.stack())
                : one;
    }

    private static Mounted awaiting(Mounted one, List<Mounted> all) {
        if (one.why() != Why.COMPUTES) {
            return one;
        }
        Optional<Mounted> initialises = all.stream()
                .filter(each -> each.why() == Why.CLASS_INITIALISATION)
                .findFirst();
        return new Mounted(
                one.carrier(),
                initialises.isPresent() ? Why.CLASS_INITIALISATION : Why.MONITOR,
                one.place(),
                initialises.map(Mounted::object).orElse(""),
                one.stack());
    }

    /** {@return whether a thread in the dump is in Java code, where it uses CPU or waits for a monitor} */
    static boolean anyInJavaCode(@Nullable ThreadDump virtual) {
        return virtual != null
                && virtual.threads().stream()
                        .filter(thread -> thread.isVirtual() && !isParked(thread))
                        .anyMatch(thread -> mounted(thread, "", false).why() == Why.COMPUTES);
    }

    /** One that has given its carrier back. */
    private static boolean isParked(DumpedThread thread) {
        StackTraceElement top = thread.stack().get(0);
        return top.getClassName().equals("java.lang.VirtualThread")
                && !top.getMethodName().equals("parkOnCarrierThread");
    }

    private static Mounted mounted(DumpedThread thread, String carrier, boolean stands) {
        List<StackTraceElement> stack = thread.stack();
        Optional<String> awaited = thread.waitsFor()
                .map(DumpedThread.Lock::type)
                .filter(type -> type.startsWith("the initialisation of class "))
                .map(type -> type.substring("the initialisation of class ".length()));
        Optional<String> own = ClassInitialisation.outermost(stack);
        boolean waits = stack.stream()
                .anyMatch(frame -> frame.getMethodName().equals("parkOnCarrierThread")
                        || (frame.getClassName().equals("java.lang.Object")
                                && frame.getMethodName().startsWith("wait")));
        Why why = Why.COMPUTES;
        String object = "";
        if (awaited.isPresent() || ((waits || stands) && own.isPresent())) {
            why = Why.CLASS_INITIALISATION;
            object = awaited.or(() -> own).orElse("");
        } else if (thread.state() == Thread.State.BLOCKED) {
            why = Why.MONITOR;
        } else if (waits) {
            why = stack.stream().anyMatch(Waits::isForeignCode) ? Why.NATIVE : Why.MONITOR;
        } else if (stack.get(0).isNativeMethod() && !isShort(stack.get(0))) {
            why = Why.NATIVE;
        }
        return new Mounted(
                carrier,
                why,
                why == Why.CLASS_INITIALISATION ? ClassInitialisation.place(stack) : thread.place(),
                object,
                stack.stream().map(StackTraceElement::toString).toList());
    }

    /** Reads a clock, copies an array or the like, in the middle of a computation. */
    private static boolean isShort(StackTraceElement frame) {
        return frame.getClassName().startsWith("java.lang.")
                && !frame.getClassName().startsWith("java.lang.Process") // starts a process, or waits for its end
                && !frame.getMethodName().startsWith("wait")
                && !frame.getMethodName().startsWith("sleep");
    }
}
