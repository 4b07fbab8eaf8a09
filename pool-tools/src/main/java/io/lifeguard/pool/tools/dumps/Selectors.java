package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.List;

/** Recognises threads that wait for events of the network, of windows, or of tools, and so are idle. Stateless. */
public final class Selectors {

    private Selectors() {}

    /**
     * {@return what a thread does; idle where it waits in a selector or for a new connection}
     *
     * @param thread not null
     */
    public static Doing doing(DumpedThread thread) {
        return isSelecting(thread.stack()) ? Doing.IDLE : thread.doing();
    }

    /**
     * {@return whether a thread waits in a selector of the JDK or of Netty, or for a new connection}
     *
     * @param stack its stack, top first, not null
     */
    public static boolean isSelecting(List<StackTraceElement> stack) {
        return stack.stream().limit(12).anyMatch(frame -> {
            String type = frame.getClassName();
            String method = frame.getMethodName();
            return switch (method) {
                case "wait" -> type.equals("sun.nio.ch.EPoll") || type.equals("sun.nio.ch.WEPoll");
                case "poll0" -> type.endsWith("SelectorImpl$SubSelector");
                case "lockAndDoSelect" -> type.equals("sun.nio.ch.SelectorImpl");
                case "epollWait", "epollWait0", "epollBusyWait" -> type.endsWith("netty.channel.epoll.Native");
                case "keventWait" -> type.endsWith("netty.channel.kqueue.Native");
                case "accept", "implAccept" ->
                    type.equals("java.net.ServerSocket") || type.equals("sun.nio.ch.ServerSocketChannelImpl");
                case "take" -> type.equals("sun.nio.fs.AbstractWatchService"); // changes of files
                case "poll" -> type.equals("sun.nio.ch.KQueue") || type.equals("sun.nio.fs.AbstractWatchService");
                case "eventLoop", "waitForEvents" -> type.startsWith("sun.awt."); // events of windows
                case "nativePollOnce" -> type.equals("android.os.MessageQueue");
                case "waitSemaphore" -> type.endsWith(".tools.attach.target.IPC"); // of OpenJ9, for tools
                default -> false;
            };
        });
    }
}
