package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.diagnosis.evidence.stack.ClassInitialisation;
import io.lifeguard.pool.diagnosis.evidence.stack.LimitedResource;
import io.lifeguard.pool.diagnosis.evidence.stack.OwnPorts;
import io.lifeguard.pool.diagnosis.evidence.stack.Stacks;
import io.lifeguard.pool.diagnosis.evidence.stack.ThreadLook;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.seen.WaitChain;
import io.lifeguard.pool.diagnosis.seen.WaitChain.End;
import io.lifeguard.pool.diagnosis.seen.WaitChain.Link;
import io.lifeguard.pool.diagnosis.window.Awaited.Result;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Follows what the workers of a pool wait for, until nobody is left to follow. Not thread-safe; makes one chain.
 *
 * <p>The largest group of workers that wait alike is followed. From a lock the chain goes to the thread that holds it,
 * from a result to the workers of the pool that has the task, and so on.
 */
public final class WaitChains {

    private static final String COMMON = "ForkJoinPool.commonPool-worker-";
    private static final String EXCLUSIVE = "java.util.concurrent.locks.ReentrantLock@";
    private static final String SEMAPHORE = "java.util.concurrent.Semaphore";
    private static final Set<String> PARTIES = Set.of("CountDownLatch", "CyclicBarrier", "Phaser", "Exchanger");

    private final Scene scene;
    private final List<Link> links = new ArrayList<>();
    private final Set<Object> visited = new HashSet<>(); // numbers of threads and names of pools
    private final String pool;
    private List<ThreadLook> workers = List.of();
    private int waiting; // how many wait like the first
    private End end = End.MOVING;
    private String last = "";

    /** The threads of a process at one moment, as far as a chain asks about them. */
    public interface Scene {

        /** {@return the thread of this number; null where there is none} */
        @Nullable
        ThreadLook thread(long id);

        /** {@return the workers of a pool, at most a few hundred; empty where the pool is unknown} */
        List<ThreadLook> workers(String pool);

        /** {@return all platform threads whose names begin like this} */
        List<ThreadLook> named(String beginning);

        /** {@return all threads that wait for this object} */
        List<ThreadLook> waitingFor(String object);

        /** {@return whose result a thread waits for, as far as it is known} */
        Result result(ThreadLook waiter);

        /** {@return whether a thread runs no code on a CPU outside of native methods} */
        boolean mayInitialise(ThreadLook look);

        /** {@return the class that a thread waits to be initialised, where the JVM says it} */
        default Optional<String> initialised(ThreadLook look) {
            return Optional.empty();
        }

        /** {@return whether looks tell the holder of each lock that only one thread can hold} */
        default boolean namesAllOwners() {
            return false;
        }

        /** {@return the thread for whose end a thread waits; null where it is unknown} */
        default @Nullable ThreadLook joined(ThreadLook waiter) {
            return null;
        }

        /** {@return the same with who holds the lock that a virtual thread waits for, as far as that is known} */
        default ThreadLook withHolder(ThreadLook look) {
            return look;
        }

        /** {@return what a thread waits for, as text} */
        default String title(ThreadLook look) {
            return ThreadLook.title(look.object());
        }

        /** {@return the connections of the process to each of its own ports} */
        Map<Integer, OwnPorts.Port> ownPorts();
    }

    private WaitChains(Scene scene, String pool) {
        this.scene = scene;
        this.pool = pool;
    }

    /** {@return the chain of a pool's workers; empty where no worker waits} */
    public static Optional<WaitChain> of(String pool, Scene scene) {
        WaitChains chain = new WaitChains(scene, pool);
        return chain.make();
    }

    private Optional<WaitChain> make() {
        workers = scene.workers(pool);
        List<ThreadLook> group = largestGroup(workers);
        if (group.isEmpty()) {
            return Optional.empty();
        }
        visited.add(pool);
        waiting = group.size();
        follow(group.get(0), "");
        return Optional.of(new WaitChain(group.size(), workers.size(), links, end, last));
    }

    /** Those that wait alike: at the same place, or for the same object. None that waits for a task. */
    private List<ThreadLook> largestGroup(List<ThreadLook> all) {
        return all.stream()
                .filter(look -> doing(look) != Doing.IDLE && (doing(look) != Doing.COMPUTING || initialises(look)))
                .collect(Collectors.groupingBy(this::alike, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .reduce((one, other) -> other.size() > one.size() ? other : one)
                .orElse(List.of());
    }

    private String alike(ThreadLook look) {
        if (initialises(look)) {
            return ""; // whichever class they wait for, they wait for each other's
        }
        return doing(look) == Doing.WAITING_FOR_LOCK && !look.object().isEmpty() ? look.object() : look.place();
    }

    private static Doing doing(ThreadLook look) {
        Doing doing = Stacks.doing(look.state(), look.stack(), look.type());
        return doing == Doing.WAITING_IN_LINE && look.wantsLock() && !isNotified(look) ? Doing.WAITING_FOR_LOCK : doing;
    }

    /** One that waits for a notification has given the monitor back. */
    private static boolean isNotified(ThreadLook look) {
        return look.stack().stream()
                .limit(3)
                .anyMatch(frame -> frame.getClassName().equals("java.lang.Object")
                        && frame.getMethodName().startsWith("wait"));
    }

    private boolean initialises(ThreadLook look) {
        return look.state() == Thread.State.RUNNABLE
                && !look.stack().isEmpty()
                && (scene.initialised(look).isPresent()
                        || (!look.stack().get(0).isNativeMethod() && scene.mayInitialise(look)));
    }

    private void add(String who, String thing, ThreadLook look) {
        links.add(new Link(who, thing, look.place(), look.stack()));
    }

    private void end(End what, String why) {
        end = what;
        last = why;
    }

    private void follow(ThreadLook look, String who) {
        visited.add(look.id());
        if (initialises(look)) {
            followInitialiser(look, who);
            return;
        }
        switch (doing(look)) {
            case WAITING_FOR_LOCK -> followLock(scene.withHolder(look), who);
            case WAITING_FOR_RESULT -> followResult(look, who);
            case WAITING_IN_LINE -> endInLine(look, who);
            case WAITING_OUTSIDE -> endOutside(look, who);
            case SLEEPING -> endMoving(look, who, "sleeps");
            default -> endMoving(look, who, "computes");
        }
    }

    private void endMoving(ThreadLook look, String who, String what) {
        if (links.isEmpty()) {
            add(who, "", look);
        }
        end(End.MOVING, who + " " + what + " at " + look.place());
    }

    // ---- locks ----

    private void followLock(ThreadLook look, String who) {
        String title = scene.title(look);
        boolean isMonitor = look.state() == Thread.State.BLOCKED;
        String thing = title.isEmpty()
                ? (isMonitor ? "a monitor" : "a lock")
                : (isMonitor ? "the monitor of " : "the lock ") + title;
        add(who, thing, look);
        if (look.holderId() == ThreadLook.NO_HOLDER && !(scene.namesAllOwners() && title.startsWith(EXCLUSIVE))) {
            String writer = scene.waitingFor(look.object()).stream()
                    .filter(other -> other.stack().stream()
                            .takeWhile(UserFrames::isJdk)
                            .anyMatch(frame -> frame.getClassName().endsWith("ReentrantReadWriteLock$WriteLock")))
                    .findFirst()
                    .map(other -> "; " + title(other) + " waits to write at " + other.place()
                            + ", and whoever asks for the read lock now waits behind it")
                    .orElse("");
            boolean isShared = title.contains("ReadWriteLock");
            end(End.UNKNOWN_OWNER, (isShared ? "readers hold it" : "its holder is unknown") + writer);
            return;
        }
        ThreadLook holder = scene.thread(look.holderId());
        if (holder == null || holder.state() == Thread.State.TERMINATED) {
            String name = look.holderName() == null ? "" : " \"" + look.holderName() + '"';
            end(End.ENDED_OWNER, "the thread" + name + " that took it has ended and did not give it back");
        } else if (!visited.add(holder.id())) {
            end(End.CIRCLE, "it is held by " + title(holder) + ", which waits for them");
        } else {
            follow(holder, "it is held by " + title(holder) + ", which");
        }
    }

    private static String title(ThreadLook look) {
        return (look.isVirtual() ? "virtual thread" : "thread") + " \"" + look.name() + '"';
    }

    // ---- results ----

    private void followResult(ThreadLook look, String who) {
        Optional<String> party = party(look);
        Result result = scene.result(look);
        ThreadLook joined = scene.joined(look);
        if (joined != null) {
            add(who, "the end of " + title(joined), look);
            if (visited.contains(joined.id())) {
                end(End.CIRCLE, "which waits for them");
            } else {
                follow(joined, "that thread");
            }
        } else if (result.pool().isPresent()) {
            followPool(look, who, result.pool().get(), result.queued());
        } else if (party.isPresent()) {
            add(who, party.get(), look);
            end(End.PARTY, "none of those that are to come has come");
        } else if (isOfCommonPool(look)) {
            add(who, "results of the common pool", look);
            endInCommonPool();
        } else {
            boolean joins = look.stack().stream()
                    .limit(3)
                    .anyMatch(frame -> frame.getClassName().equals("java.lang.Thread"));
            add(who, joins ? "the end of another thread" : "results", look);
            end(End.RESULT, "it is unknown which threads provide them");
        }
    }

    private static Optional<String> party(ThreadLook look) {
        return look.stack().stream()
                .takeWhile(UserFrames::isJdk)
                .map(frame -> Stacks.shortName(frame.getClassName()))
                .filter(PARTIES::contains)
                .findFirst()
                .map(type -> "other parties of a " + type);
    }

    private void followPool(ThreadLook look, String who, String next, boolean isQueued) {
        boolean isOwn = next.equals(pool);
        add(who, "results of tasks of " + (isOwn ? "this very pool" : "pool " + next), look);
        if (isOwn) {
            end(
                    End.OWN_TASK,
                    isQueued ? "these tasks are in its queue, and no worker is free to run them" : "no worker is free");
            return;
        }
        if (!visited.add(next)) {
            end(End.CIRCLE, "pool " + next + " waits for them");
            return;
        }
        List<ThreadLook> others = scene.workers(next);
        List<ThreadLook> group = largestGroup(others);
        if (group.isEmpty() || 2 * group.size() < others.size()) {
            end(End.MOVING, "pool " + next + " is not known to stand still");
        } else {
            follow(group.get(0), group.size() + " of " + others.size() + " workers of pool " + next + " in turn");
        }
    }

    private boolean isOfCommonPool(ThreadLook look) {
        return look.stack().stream()
                        .takeWhile(UserFrames::isJdk)
                        .anyMatch(frame -> frame.getClassName().startsWith("java.util.concurrent.CompletableFuture")
                                || frame.getClassName().startsWith("java.util.concurrent.ForkJoin"))
                && !commonWorkers().isEmpty()
                && commonWorkers().stream().noneMatch(worker -> doing(worker) == Doing.IDLE);
    }

    private List<ThreadLook> commonWorkers() {
        return scene.named(COMMON);
    }

    private void endInCommonPool() {
        List<ThreadLook> common = commonWorkers();
        List<ThreadLook> group = largestGroup(common);
        if (group.isEmpty()) {
            end(End.MOVING, "the common pool computes at " + common.get(0).place());
            return;
        }
        ThreadLook one = group.get(0);
        String who = common.size() == 1
                ? "the only thread of the common pool"
                : group.size() + " of " + common.size() + " workers of the common pool";
        String thing =
                party(one).orElse(doing(one) == Doing.WAITING_FOR_LOCK ? "a lock" : "something that has not come");
        links.add(new Link(who, thing, one.place(), one.stack()));
        end(End.COMMON_POOL, "no other thread runs its tasks, so what it waits for may be one of them");
    }

    // ---- classes ----

    private void followInitialiser(ThreadLook look, String who) {
        String own = ClassInitialisation.outermost(look.stack()).orElse("");
        List<ThreadLook> others = workers.stream()
                .filter(other -> other.id() != look.id())
                .filter(other -> ClassInitialisation.outermost(other.stack())
                        .filter(type -> !type.equals(own))
                        .isPresent())
                .toList();
        ThreadLook initialiser = others.isEmpty() ? null : others.get(0);
        String type = scene.initialised(look)
                .or(() ->
                        Optional.ofNullable(initialiser).flatMap(other -> ClassInitialisation.outermost(other.stack())))
                .orElse("");
        add(who, "the initialisation of " + (type.isEmpty() ? "another class" : "class " + type), look);
        if (initialiser == null) {
            boolean waitOthers = !own.isEmpty() && waiting > 1;
            end(
                    End.INITIALISER,
                    waitOthers
                            ? "whoever initialises that one waits for class " + own
                                    + ", as it seems, as a subclass of it does"
                            : "who initialises it is unknown");
        } else if (!visited.add(initialiser.id())) {
            end(End.CIRCLE, title(initialiser) + " initialises it, and waits for class " + own);
        } else if (initialises(initialiser)) {
            boolean isFirst = !own.isEmpty() && !own.equals(type);
            links.add(new Link(
                    title(initialiser) + " initialises it and",
                    isFirst ? "the initialisation of class " + own : "the initialisation of another class",
                    ClassInitialisation.place(initialiser.stack()),
                    initialiser.stack()));
            end(
                    End.CIRCLE,
                    isFirst
                            ? title(look) + " initialises that at " + ClassInitialisation.place(look.stack())
                            : "that one is being initialised by a thread that waits for class " + type);
        } else {
            follow(initialiser, title(initialiser) + " initialises it, and");
        }
    }

    // ---- what ends a chain ----

    private void endInLine(ThreadLook look, String who) {
        Optional<String> room = look.type().startsWith("io.lifeguard.pool.queue.")
                ? Optional.of("room in the full queue of a pool")
                : Waits.handOver(look.stack())
                        .map(text -> text.substring(0, text.lastIndexOf(' ') + 1) + Stacks.shortName(text));
        Optional<String> lent = LimitedResource.of(look.stack()).map(LimitedResource::description);
        boolean isPermit = look.type().startsWith(SEMAPHORE);
        if (room.isPresent()) {
            add(who, room.get(), look);
            end(End.ROOM, "");
        } else if (Waits.forPipe(look.stack())) {
            add(who, "the other end of a pipe (PipedInputStream)", look);
            end(End.RESULT, "nobody writes to it or reads from it");
        } else if (lent.isPresent()
                || isPermit
                || LimitedResource.byName(look.stack()).isPresent()) {
            add(
                    who,
                    lent.orElse(isPermit ? "a permit of " + ThreadLook.title(look.object()) : "what is lent there"),
                    look);
            end(End.NONE_LEFT, "none is left, and none comes back");
        } else {
            String queue = Waits.emptyQueue(look.stack()).map(Stacks::shortName).orElse("");
            add(who, queue.isEmpty() ? "a notification or an element" : "an element of the " + queue, look);
            end(End.SIGNAL, "");
        }
    }

    private void endOutside(ThreadLook look, String who) {
        Map<Integer, OwnPorts.Port> ports = isInSocket(look) ? scene.ownPorts() : Map.of();
        Optional<Map.Entry<Integer, OwnPorts.Port>> own = ports.entrySet().stream()
                .filter(port -> port.getValue().connections() >= waiting)
                .max(Comparator.comparing(port -> port.getValue().connections()));
        if (own.isPresent()) {
            add(who, "an answer of port " + own.get().getKey() + " of this very process", look);
            OwnPorts.Port port = own.get().getValue();
            boolean isUnread = port.unread() >= waiting;
            end(
                    isUnread ? End.UNREAD : End.OWN_PORT,
                    "this process has " + port.connections() + " connections to that port, "
                            + (isUnread
                                    ? "and has not read what was sent on " + port.unread()
                                    : "and its threads are to answer them"));
        } else {
            boolean isChild =
                    look.stack().stream().anyMatch(frame -> frame.getClassName().startsWith("java.lang.ProcessImpl"));
            add(who, isChild ? "the end of a child process" : "something outside", look);
            end(End.OUTSIDE, isChild ? "it may wait until its output is read" : "these calls do not return");
        }
    }

    private static boolean isInSocket(ThreadLook look) {
        return look.stack().stream().takeWhile(UserFrames::isJdk).anyMatch(frame -> {
            String type = frame.getClassName();
            return type.startsWith("sun.nio.ch.")
                    || type.startsWith("java.net.")
                    || type.startsWith("jdk.internal.net.http.")
                    || type.startsWith("sun.net.");
        });
    }
}
