package io.lifeguard.pool.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Finds the packages whose classes use each other in a circle. Nested classes count as their outermost one. */
final class ClassCycles {

    private ClassCycles() {}

    /** {@return the largest cycle of each package that has one} */
    static Map<String, Set<String>> largest(JavaClasses classes) {
        Map<String, Set<String>> uses = new HashMap<>();
        Map<String, String> rooms = new HashMap<>();
        for (JavaClass type : classes) {
            String from = outermost(type).getName();
            rooms.put(from, type.getPackageName());
            Set<String> used = uses.computeIfAbsent(from, key -> new TreeSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass to = outermost(dependency.getTargetClass());
                if (to.getPackageName().equals(type.getPackageName())) {
                    used.add(to.getName());
                }
            }
        }
        Map<String, Set<String>> largest = new TreeMap<>();
        for (Set<String> cycle : new Components(uses).cycles()) {
            largest.merge(
                    rooms.get(cycle.iterator().next()), cycle, (one, other) -> one.size() < other.size() ? other : one);
        }
        return largest;
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(ClassCycles::outermost).orElse(type.getBaseComponentType());
    }

    /** Finds the strongly connected components of a graph, by Tarjan's algorithm. */
    private static final class Components {
        private final Map<String, Set<String>> uses;
        private final Map<String, Integer> numbers = new HashMap<>();
        private final Map<String, Integer> lowest = new HashMap<>();
        private final Deque<String> open = new ArrayDeque<>();
        private final Set<String> isOpen = new HashSet<>();
        private final List<Set<String>> cycles = new ArrayList<>();

        Components(Map<String, Set<String>> uses) {
            this.uses = uses;
        }

        List<Set<String>> cycles() {
            for (String type : uses.keySet()) {
                if (!numbers.containsKey(type)) {
                    visit(type);
                }
            }
            return cycles;
        }

        private void visit(String type) {
            int number = numbers.size();
            numbers.put(type, number);
            lowest.put(type, number);
            open.push(type);
            isOpen.add(type);
            for (String used : uses.getOrDefault(type, Set.of())) {
                if (!numbers.containsKey(used)) {
                    visit(used);
                    lowest.merge(type, lowest.get(used), Math::min);
                } else if (isOpen.contains(used)) {
                    lowest.merge(type, numbers.get(used), Math::min);
                }
            }
            if (lowest.get(type) == number) {
                Set<String> component = new TreeSet<>();
                String member;
                do {
                    member = open.pop();
                    isOpen.remove(member);
                    component.add(member);
                } while (!member.equals(type));
                if (component.size() > 1) {
                    cycles.add(component);
                }
            }
        }
    }
}
