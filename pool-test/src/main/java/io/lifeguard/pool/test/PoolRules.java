package io.lifeguard.pool.test;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameStartingWith;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.lang.ArchRule;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Rules for ArchUnit about the pools that code creates. Stateless and thread-safe.
 *
 * <p>The rules need {@code com.tngtech.archunit:archunit} 1.x on the class path of the tests. This module does not
 * bring ArchUnit along.
 */
public final class PoolRules {

    /**
     * Fails for classes that create a thread pool of the JDK where Lifeguard has an instrumented one.
     *
     * <p>These break the rule: calls of and method references to {@code Executors.new…}, constructor calls of
     * {@link ThreadPoolExecutor} and {@link ScheduledThreadPoolExecutor}, and subclasses of these two. Subclasses of
     * Lifeguard's classes keep it. So do pools that a library creates, because ArchUnit reads the imported classes
     * only, and {@link java.util.concurrent.ForkJoinPool}'s constructors, for which there is no replacement.
     *
     * <pre>{@code
     * @Test
     * void pools_areInstrumented() {
     *     PoolRules.NO_RAW_EXECUTORS.check(new ClassFileImporter().importPackages("com.example.shop"));
     * }
     * }</pre>
     */
    public static final ArchRule NO_RAW_EXECUTORS = noClasses()
            .should()
            .accessTargetWhere(target(isRawFactory()).or(target(isRawConstructor())))
            .as("no class should create a raw executor")
            .because("only instrumented pools measure their tasks:"
                    + " use InstrumentedExecutors or extend InstrumentedThreadPoolExecutor");

    private PoolRules() {}

    private static DescribedPredicate<AccessTarget> isRawFactory() {
        return owner(JavaClass.Predicates.equivalentTo(Executors.class))
                .<AccessTarget>forSubtype()
                .and(nameStartingWith("new").forSubtype());
    }

    private static DescribedPredicate<AccessTarget> isRawConstructor() {
        return owner(JavaClass.Predicates.equivalentTo(ThreadPoolExecutor.class)
                        .or(JavaClass.Predicates.equivalentTo(ScheduledThreadPoolExecutor.class)))
                .<AccessTarget>forSubtype()
                .and(nameStartingWith(JavaConstructor.CONSTRUCTOR_NAME).forSubtype());
    }
}
