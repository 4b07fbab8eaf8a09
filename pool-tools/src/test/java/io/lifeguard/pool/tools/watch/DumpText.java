package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.dumps.ThreadDumps;

/** Writes thread dumps as the JVM prints them. Stateless. */
final class DumpText {

    private static final String RUN_WORKER = "java.util.concurrent.ThreadPoolExecutor.runWorker";

    private DumpText() {}

    static ThreadDump dump(String... threads) {
        return ThreadDumps.parse("test", "Full thread dump\n" + String.join("", threads))
                .dumps()
                .get(0);
    }

    static String waits(String name) {
        return waits(name, name);
    }

    static String waits(String name, String task) {
        return parked(
                name,
                task,
                "java.util.concurrent.FutureTask",
                "java.util.concurrent.FutureTask.awaitDone",
                "java.util.concurrent.FutureTask.get",
                "com.example.Orders.price",
                RUN_WORKER);
    }

    static String runs(String name) {
        return thread(
                name, "RUNNABLE", "", "com.example.Prices.fetch", "java.util.concurrent.FutureTask.run", RUN_WORKER);
    }

    static String busy(String name) {
        return thread(name, "RUNNABLE", "", "com.example.Mail.send", RUN_WORKER);
    }

    static String idle(String name) {
        return thread(
                name,
                "WAITING (parking)",
                "",
                "java.util.concurrent.LinkedBlockingQueue.take",
                "java.util.concurrent.ThreadPoolExecutor.getTask",
                RUN_WORKER);
    }

    /** A thread that is parked on an object of a type; threads that name the same object wait for the same. */
    private static String parked(String name, String object, String type, String... frames) {
        return thread(
                name,
                "WAITING (parking)",
                "\t- parking to wait for  <0x00000000f%07x> (a %s)\n".formatted(object.hashCode() & 0xfffffff, type),
                frames);
    }

    /** A park comes first where a thread parks. */
    static String thread(String name, String state, String lock, String... frames) {
        StringBuilder text = new StringBuilder(
                "\"%s\" #1 prio=5 tid=0x00007f nid=0x%x runnable\n".formatted(name, 1 + (name.hashCode() & 0xfffff)));
        text.append("   java.lang.Thread.State: ").append(state).append('\n');
        if (state.contains("parking")) {
            text.append("\tat jdk.internal.misc.Unsafe.park(Native Method)\n");
        }
        text.append(lock);
        for (String frame : frames) {
            text.append("\tat ").append(frame).append(frame.contains("(") ? "\n" : "(Unknown Source)\n");
        }
        return text.append('\n').toString();
    }

    /** A worker that waits for a value that some thread completes. */
    static String awaitsValue(String name) {
        return parked(
                name,
                "value of " + name,
                "java.util.concurrent.CompletableFuture$Signaller",
                "java.util.concurrent.CompletableFuture$Signaller.block",
                "java.util.concurrent.CompletableFuture.join",
                "com.example.Cache.get",
                RUN_WORKER);
    }

    /** A worker that waits for an answer of another process. */
    static String calls(String name) {
        return thread(
                name,
                "RUNNABLE",
                "",
                "sun.nio.ch.Net.poll(Native Method)",
                "java.net.Socket$SocketInputStream.read",
                "com.example.Orders.load",
                "com.example.Orders.run",
                RUN_WORKER);
    }

    /** A submitter that runs a task of {@link #calls} itself. */
    static String callsAsSubmitter(String name) {
        return thread(
                name,
                "RUNNABLE",
                "",
                "sun.nio.ch.Net.poll(Native Method)",
                "java.net.Socket$SocketInputStream.read",
                "com.example.Orders.load",
                "com.example.Orders.run",
                "java.util.concurrent.ThreadPoolExecutor$CallerRunsPolicy.rejectedExecution",
                "java.util.concurrent.ThreadPoolExecutor.execute",
                "com.example.Main.feed");
    }
}
