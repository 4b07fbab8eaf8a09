package io.lifeguard.pool.diagnosis.seen;

import java.util.List;

/**
 * A circle of threads that wait for each other's locks, and therefore forever. Immutable.
 *
 * @param members each waits for a lock that the next one holds, and the last one for a lock of the first
 * @param isConcluded whether stacks tell who holds which lock, because the JVM does not
 */
public record DeadlockCircle(List<Member> members, boolean isConcluded) {

    /**
     * All circles of the JVM.
     *
     * @param circles not null
     * @param unseen what could not be seen, as a clause, so that a circle may be missing; empty if all was seen
     */
    public record All(List<DeadlockCircle> circles, String unseen) {

        /** Copies the list. */
        public All {
            circles = List.copyOf(circles);
        }
    }

    /** Copies the list. */
    public DeadlockCircle {
        members = List.copyOf(members);
    }

    /**
     * One thread of a circle.
     *
     * @param id its identifier; 0 where that is unknown
     * @param name its name; empty for most virtual threads
     * @param isVirtual whether it is a virtual thread
     * @param lock the lock it waits for, as class and identity
     * @param place where it waits: the first frame that is the user's own
     * @param stack its stack, top first
     */
    public record Member(long id, String name, boolean isVirtual, String lock, String place, List<String> stack) {

        /** Copies the stack. */
        public Member {
            stack = List.copyOf(stack);
        }

        /** {@return its kind, name and number, as findings show them} */
        public String title() {
            return (isVirtual ? "virtual thread" : "thread")
                    + (name.isEmpty() ? "" : " \"" + name + "\"")
                    + (id > 0 ? " #" + id : "");
        }
    }
}
