package io.lifeguard.pool.corpus.workloads;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * A labelled workload. Immutable.
 *
 * @param name the name, unique and in {@code kebab-case}
 * @param about what happens in it, in one sentence
 * @param must the findings it must produce; empty when it is healthy
 * @param may further findings that are true of it; all others are false
 * @param near for a healthy workload: the finding whose sick workloads it resembles most, or something else that might
 *     confuse a rule
 * @param quick whether it belongs to the representative part
 * @param curable whether it becomes healthy when the load falls to a tenth
 * @param sizes the sizes that the advice may name; empty when any will do
 * @param place what the finding must name: a method, a thread or a pool; empty when nothing is to be named
 * @param surroundings the JVM, the quota and the load around it
 * @param action what it does
 */
public record Workload(
        String name,
        String about,
        Set<String> must,
        Set<String> may,
        String near,
        boolean quick,
        boolean curable,
        Optional<Sizes> sizes,
        Optional<String> place,
        Surroundings surroundings,
        Action action) {

    /** Copies the sets. */
    public Workload {
        must = Set.copyOf(must);
        may = Set.copyOf(may);
    }

    /** Starts to build a workload that must produce this finding. */
    static Builder sick(String name, String... must) {
        return new Builder(name, Set.of(must), "");
    }

    /** Starts to build a healthy workload that resembles those with this finding. */
    static Builder healthy(String name, String near) {
        return new Builder(name, Set.of(), near);
    }

    /** The same workload, of which this finding may be true as well. */
    public Workload allowing(String id) {
        Set<String> all = new HashSet<>(may);
        all.add(id);
        return new Workload(name, about, must, all, near, quick, curable, sizes, place, surroundings, action);
    }

    /** Whether it must produce a finding. */
    public boolean isSick() {
        return !must.isEmpty();
    }

    /** What a workload does. */
    @FunctionalInterface
    public interface Action {

        /**
         * Starts the workload. It may return at once; what it started goes on until the scene is over.
         *
         * @throws Exception when it cannot be started, which is a defect of the corpus
         */
        void play(Scene scene) throws Exception;
    }

    /**
     * The surroundings of a workload.
     *
     * @param jvmArguments arguments of its JVM
     * @param quota its quota of CPUs, as in a container
     * @param suspended whether the process is stopped for a while, as a debugger or hypervisor would
     * @param foreignLoad how many busy threads other processes have at the same time
     */
    public record Surroundings(List<String> jvmArguments, OptionalDouble quota, boolean suspended, int foreignLoad) {

        static final Surroundings USUAL = new Surroundings(List.of(), OptionalDouble.empty(), false, 0);

        /** Copies the list. */
        public Surroundings {
            jvmArguments = List.copyOf(jvmArguments);
        }
    }

    /** Sizes of a pool, from the smallest to the largest, both included. Immutable. */
    public record Sizes(int least, int most) {

        /** Whether a size is one of these. */
        public boolean holds(int size) {
            return size >= least && size <= most;
        }

        @Override
        public String toString() {
            return least + " to " + most;
        }
    }

    /** Builds a workload. Not thread-safe. */
    static final class Builder {
        private final String name;
        private final Set<String> must;
        private final String near;
        private String about = "";
        private Set<String> may = Set.of();
        private boolean quick;
        private boolean curable = true;
        private Optional<Sizes> sizes = Optional.empty();
        private Optional<String> place = Optional.empty();
        private Surroundings surroundings = Surroundings.USUAL;

        private Builder(String name, Set<String> must, String near) {
            this.name = name;
            this.must = must;
            this.near = near;
        }

        Builder about(String sentence) {
            about = sentence;
            return this;
        }

        Builder may(String... ids) {
            may = Set.of(ids);
            return this;
        }

        Builder quick() {
            quick = true;
            return this;
        }

        /** Says that it stays sick when the load falls. */
        Builder incurable() {
            curable = false;
            return this;
        }

        /** Says which sizes the advice may name. */
        Builder recommends(int least, int most) {
            sizes = Optional.of(new Sizes(least, most));
            return this;
        }

        /** Says what the finding must name: a method, a thread or a pool. */
        Builder names(String what) {
            place = Optional.of(what);
            return this;
        }

        Builder jvm(String... arguments) {
            surroundings = new Surroundings(
                    List.of(arguments), surroundings.quota(), surroundings.suspended(), surroundings.foreignLoad());
            return this;
        }

        Builder quota(double cores) {
            surroundings = new Surroundings(surroundings.jvmArguments(), OptionalDouble.of(cores), false, 0);
            return this;
        }

        Builder suspended() {
            surroundings = new Surroundings(surroundings.jvmArguments(), OptionalDouble.empty(), true, 0);
            return this;
        }

        Builder foreignLoad(int threads) {
            surroundings = new Surroundings(surroundings.jvmArguments(), OptionalDouble.empty(), false, threads);
            return this;
        }

        Workload plays(Action action) {
            return new Workload(
                    name,
                    about,
                    must,
                    may,
                    near,
                    quick,
                    curable,
                    sizes,
                    place,
                    surroundings,
                    Objects.requireNonNull(action, "action"));
        }
    }
}
