package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.text.Units;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.dumps.ThreadDumps;
import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.lifeguard.pool.tools.jvm.Jcmd;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Another JVM of this machine, and the ways to take its thread dumps. Not thread-safe.
 *
 * <p>Dumps are asked for at the JVM's socket for such requests, because a {@code jcmd} costs a third of a second of CPU
 * time. A shell makes the JVM open the socket, and {@code jcmd} where that fails. Both leave nothing behind but what
 * any {@code jcmd} does: that socket, and the JVM's own thread that serves it.
 */
public final class Target {

    /** A collection of a large heap takes seconds; a JVM that is silent for longer does not run. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final long SIGQUIT = 1 << 2; // the bit of signal 3 in the masks of /proc/PID/status
    private static final int HEXADECIMAL = 16;
    private static final long MOST_BYTES = 256L << 20; // that this program reads of a file

    private static final Set<String> PROGRAM_FOLLOWS = Set.of("-jar", "-m", "--module");

    /** Options of the JVM whose value is the next argument. */
    private static final Set<String> VALUE_FOLLOWS = Set.of(
            "-cp",
            "-classpath",
            "--class-path",
            "-p",
            "--module-path",
            "--upgrade-module-path",
            "--add-modules",
            "--add-reads",
            "--add-exports",
            "--add-opens",
            "--enable-native-access",
            "--limit-modules",
            "--patch-module");

    private final long pid;
    private final Path proc;
    private final Duration patience;
    private final DumpFile dumpFile;
    private Optional<AttachSocket> socket = Optional.empty();
    private Duration lastAnswer = Duration.ZERO;
    private boolean takesAnyDump; // from false to true
    private @Nullable String hazard; // of a dump with virtual threads; null before the JVM was asked

    private Target(long pid, Duration patience) {
        this.pid = pid;
        this.proc = Path.of("/proc", Long.toString(pid));
        this.patience = patience;
        this.dumpFile = new DumpFile(proc, pid);
    }

    /** Finds a JVM, and checks what can be checked without asking it. */
    public static Target of(long pid) throws CannotLookException {
        return of(pid, PATIENCE);
    }

    static Target of(long pid, Duration patience) throws CannotLookException {
        Target target = new Target(pid, patience);
        target.check();
        return target;
    }

    private void check() throws CannotLookException {
        if (pid == ProcessHandle.current().pid()) {
            throw new CannotLookException(
                    "process " + pid + " is this program itself:" + " give the number of another one.");
        }
        if (!isAlive()) {
            throw new CannotLookException(
                    "there is no process " + pid + ": 'lifeguard ps' lists the JVMs of this user.");
        }
        if (!Files.isDirectory(proc)) {
            return; // no Linux: jcmd will tell
        }
        checkOwner();
        checkJvm();
        if (status("State:").orElse("").startsWith("T")) {
            throw new CannotLookException(
                    "process " + pid + " is stopped, so it cannot answer: 'kill -CONT " + pid + "' lets it go on.");
        }
    }

    private void checkOwner() throws CannotLookException {
        try {
            UserPrincipal owner = Files.getOwner(proc);
            UserPrincipal me = Files.getOwner(Path.of("/proc/self"));
            if (!owner.equals(me) && !me.getName().equals("root")) {
                throw new CannotLookException("process " + pid + " belongs to " + LogText.name(owner.getName())
                        + ", and this program runs as " + LogText.name(me.getName())
                        + ": run it as that user, for instance with 'sudo -u "
                        + LogText.shortened(owner.getName()) + "'.");
            }
        } catch (IOException e) {
            throw new CannotLookException("there is no process " + pid + " any longer.");
        }
    }

    /** A request for attention kills a process that does not expect it, so ask the system what the process is. */
    private void checkJvm() throws CannotLookException {
        boolean isReady = status("SigCgt:")
                .map(mask -> (Long.parseUnsignedLong(mask, HEXADECIMAL) & SIGQUIT) != 0)
                .orElse(true);
        try {
            boolean isJvm = Files.readString(proc.resolve("maps")).contains("libjvm.so");
            if (!isJvm) {
                throw new CannotLookException(
                        "process " + pid + " is not a HotSpot JVM: 'lifeguard ps' lists the JVMs of this user.");
            }
        } catch (IOException e) {
            String why = e instanceof AccessDeniedException
                    ? "the system forbids to read " + e.getMessage()
                    : LogText.clean(e.toString());
            throw new CannotLookException("process " + pid + " may not be looked at (" + why
                    + "): run this as root, or in the container of the process.");
        }
        if (!isReady) {
            throw new CannotLookException("process " + pid + " does not answer to jcmd: it has just been started, or"
                    + " runs with -Xrs. Try again, or start it without that option.");
        }
    }

    /** {@return what the system says of the process; empty where it does not} */
    Optional<String> status(String key) {
        try {
            return Files.readAllLines(proc.resolve("status")).stream()
                    .filter(line -> line.startsWith(key))
                    .map(line -> line.substring(key.length()).strip())
                    .findFirst();
        } catch (IOException ignored) { // it has just ended, or the system hides it
            return Optional.empty();
        }
    }

    /** {@return its process} */
    public long pid() {
        return pid;
    }

    /** {@return whether the process is there} */
    public boolean isAlive() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    /**
     * {@return the main class, jar or module of the process and its arguments, without the JVM's options; empty where
     * the system does not tell them}
     */
    public String program() {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().arguments())
                .map(arguments -> LogText.clean(program(List.of(arguments))))
                .orElse("");
    }

    static String program(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            boolean isNextProgram = PROGRAM_FOLLOWS.contains(argument);
            if (isNextProgram || !(argument.startsWith("-") || argument.startsWith("@"))) {
                return String.join(" ", arguments.subList(isNextProgram ? i + 1 : i, arguments.size()));
            }
            i += VALUE_FOLLOWS.contains(argument) ? 1 : 0;
        }
        return "";
    }

    /**
     * Takes a thread dump. The JVM stops all its threads meanwhile.
     *
     * @param withLocks whether to list who holds which lock of {@code java.util.concurrent}. The JVM then walks through
     *     its whole heap
     */
    public ThreadDump dump(boolean withLocks) throws CannotLookException {
        try {
            long begin = System.nanoTime();
            String text = text(withLocks);
            lastAnswer = Duration.ofNanos(System.nanoTime() - begin);
            ThreadDumps dumps = ThreadDumps.parse("process " + pid, text);
            List<ThreadDump> all = dumps.dumps();
            if (!all.isEmpty()) {
                return all.get(0);
            }
        } catch (IOException e) {
            throw failed(String.valueOf(e.getMessage()));
        }
        throw failed("its answer holds no thread dump");
    }

    private String text(boolean withLocks) throws IOException, CannotLookException {
        if (socket.isEmpty()) {
            socket = AttachSocket.of(pid, innerPid());
            if (socket.isEmpty() && Files.exists(proc)) {
                socket = AttachSocket.open(pid, innerPid(), patience);
            }
            if (socket.isEmpty() && Files.exists(proc)) {
                Jcmd.run(patience, pid, "VM.version"); // has the JVM open the socket; no long answer holds it up
                socket = AttachSocket.of(pid, innerPid());
            }
        }
        if (socket.isPresent()) {
            return socket.get().ask(patience, "jcmd", withLocks ? "Thread.print -l" : "Thread.print");
        }
        return Jcmd.run(patience, pid, "Thread.print", withLocks ? "-l" : "");
    }

    /**
     * Asks the scheduler of virtual threads what it does, which JDK 24 and later tell.
     *
     * @return what it said; empty where the JVM does not know the request
     */
    Optional<SchedulerState> scheduler() {
        try {
            return socket.isEmpty()
                    ? Optional.empty()
                    : SchedulerState.parse(socket.get().ask(patience, "jcmd", "Thread.vthread_scheduler"));
        } catch (IOException ignored) { // JDK 23 or older, or it has just ended
            return Optional.empty();
        }
    }

    /**
     * From now on takes dumps with virtual threads also where these {@linkplain #hazard() can crash the JVM}. Only its
     * owner may want that.
     */
    public void takeAnyDump() {
        takesAnyDump = true;
    }

    /** {@return why no dump with virtual threads is taken, as a clause; empty when nothing speaks against it} */
    String hazard() {
        String known = hazard;
        if (known == null && socket.isPresent() && !takesAnyDump) {
            try {
                known = VirtualDumpHazard.of(socket.get().ask(patience, "jcmd", "VM.version"), proc);
                hazard = known;
            } catch (IOException ignored) { // it is asked again
                return "whether a dump of virtual threads can crash this JVM is not known";
            }
        }
        return takesAnyDump || known == null ? "" : known;
    }

    /**
     * Takes a dump that has virtual threads, too. The JVM does not stand still, but works for 0.05 to 0.1 ms per
     * thread.
     *
     * @return the dump; empty where it {@linkplain #hazard() can crash the JVM}, where the JVM has no such request,
     *     cannot write to its directory for temporary files, or has so many threads that the dump is longer than 256 MB
     */
    Optional<ThreadDump> dumpWithVirtualThreads() {
        Optional<AttachSocket> known = socket;
        if (known.isEmpty() || !hazard().isEmpty()) {
            return Optional.empty();
        }
        try {
            String json = dumpFile.read(
                    file -> known.get().ask(patience, "jcmd", "Thread.dump_to_file -format=json " + file), MOST_BYTES);
            return ThreadDumps.parse("process " + pid, json).dumps().stream().findFirst();
        } catch (IOException ignored) { // the watch goes on without
            return Optional.empty();
        }
    }

    /** {@return how long the JVM took to answer the latest request for a dump; it stood still for less} */
    public Duration lastAnswer() {
        return lastAnswer;
    }

    /** The number that the process has in its own container. */
    private long innerPid() {
        return status("NSpid:")
                .map(numbers -> numbers.substring(numbers.lastIndexOf('\t') + 1).strip())
                .filter(number -> number.matches("\\d{1,18}"))
                .map(Long::parseLong)
                .orElse(pid);
    }

    private CannotLookException failed(String why) {
        if (!isAlive()) {
            return new CannotLookException("process " + pid + " has ended.");
        }
        if (status("State:").orElse("").startsWith("T")) {
            return new CannotLookException("process " + pid + " was stopped: 'kill -CONT " + pid + "' lets it go on.");
        }
        String container = innerPid() == pid
                ? ""
                : " It runs in another container: run this program there, for instance with 'docker exec' or 'kubectl"
                        + " exec'.";
        return new CannotLookException(Units.format(
                "process %d gives no thread dump (%s). %s%s", pid, LogText.clean(why), silence(why), container));
    }

    /** {@return in one sentence why the JVM may have taken no command, given what {@code jcmd} said} */
    public String silence(String why) {
        if (why.contains("does not support the attach mechanism")) {
            return "It runs with -XX:+DisableAttachMechanism, so it takes no commands.";
        }
        Path folder = proc.resolve("root/tmp");
        if (Files.isDirectory(folder) && !Files.isWritable(folder)) {
            return "A JVM takes commands at a socket in its /tmp, and this one's /tmp cannot be written to.";
        }
        return "It hangs, is short of CPU time, or runs with -XX:+DisableAttachMechanism.";
    }
}
