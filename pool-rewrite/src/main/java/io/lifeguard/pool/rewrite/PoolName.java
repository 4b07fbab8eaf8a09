package io.lifeguard.pool.rewrite;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeUtils;

/**
 * Finds the name for a pool in the code around the expression that creates the pool. Stateless.
 *
 * <p>The name is that of the field or variable that receives the pool. If a bean method returns the pool, the name is
 * that of the bean. A wrapper may stand between: a cast, a choice by {@code ?:}, or a call that itself returns an
 * executor. A name that says nothing on its own, such as {@code executor}, follows the class: {@code Orders.executor}.
 */
final class PoolName {

    private static final String EXECUTOR = "java.util.concurrent.Executor";

    /** Annotations of methods whose result is a bean: of Spring, CDI, Guice, Dagger and Micronaut. */
    private static final Set<String> BEAN_ANNOTATIONS = Set.of(
            "org.springframework.context.annotation.Bean",
            "jakarta.enterprise.inject.Produces",
            "javax.enterprise.inject.Produces",
            "com.google.inject.Provides",
            "dagger.Provides",
            "io.micronaut.context.annotation.Bean");

    /** Without underscores and in lower case. */
    private static final Set<String> GENERIC_NAMES = Set.of(
            "exec",
            "executor",
            "executors",
            "executorservice",
            "pool",
            "pools",
            "scheduledexecutor",
            "scheduledexecutorservice",
            "scheduler",
            "service",
            "threadpool",
            "threadpoolexecutor",
            "threads",
            "workers");

    private static final int LONGEST_ABBREVIATION = 2; // es, ex, tp

    private PoolName() {}

    /**
     * Returns the name for the pool that an expression creates.
     *
     * @param creation the place of the expression
     * @return empty if nothing around the expression has a name for the pool
     */
    static Optional<String> at(Cursor creation) {
        Cursor place = creation;
        do {
            place = place.getParentTreeCursor();
        } while (isWrapper(place.getValue()));
        Object receiver = place.getValue();
        if (receiver instanceof J.VariableDeclarations.NamedVariable variable) {
            return Optional.of(qualified(variable.getSimpleName(), place));
        }
        if (receiver instanceof J.Assignment assignment) {
            String name = lastName(assignment.getVariable());
            return name == null ? Optional.empty() : Optional.of(qualified(name, place));
        }
        return receiver instanceof J.Return ? ofBean(place) : Optional.empty();
    }

    private static boolean isWrapper(Object tree) {
        return tree instanceof J.Parentheses
                || tree instanceof J.ControlParentheses
                || tree instanceof J.TypeCast
                || tree instanceof J.Ternary
                || ((tree instanceof J.MethodInvocation || tree instanceof J.NewClass)
                        && TypeUtils.isAssignableTo(EXECUTOR, ((Expression) tree).getType()));
    }

    /** Returns {@code x} for {@code x}, {@code this.x}, {@code other.x} and {@code x[i]}. */
    private static @Nullable String lastName(Expression variable) {
        if (variable instanceof J.ArrayAccess access) {
            return lastName(access.getIndexed());
        }
        if (variable instanceof J.FieldAccess access) {
            return access.getSimpleName();
        }
        return variable instanceof J.Identifier identifier ? identifier.getSimpleName() : null;
    }

    private static String qualified(String name, Cursor place) {
        boolean isTelling = name.length() > LONGEST_ABBREVIATION
                && !GENERIC_NAMES.contains(name.replace("_", "").toLowerCase(Locale.ROOT));
        J.ClassDeclaration type = place.firstEnclosing(J.ClassDeclaration.class);
        return isTelling || type == null ? name : type.getSimpleName() + "." + name;
    }

    private static Optional<String> ofBean(Cursor place) {
        Object returning = place.dropParentUntil(outer -> outer instanceof J.Lambda
                        || outer instanceof J.MethodDeclaration
                        || outer instanceof J.CompilationUnit)
                .getValue();
        if (!(returning instanceof J.MethodDeclaration method)) {
            return Optional.empty();
        }
        return method.getLeadingAnnotations().stream()
                .filter(PoolName::makesBean)
                .findFirst()
                .map(annotation -> qualified(givenName(annotation).orElse(method.getSimpleName()), place));
    }

    private static boolean makesBean(J.Annotation annotation) {
        JavaType.FullyQualified type = TypeUtils.asFullyQualified(annotation.getType());
        return type != null && BEAN_ANNOTATIONS.contains(type.getFullyQualifiedName());
    }

    /** Returns the first name that the annotation gives: {@code @Bean("orders")}, {@code @Bean(name = {"orders"})}. */
    private static Optional<String> givenName(J.Annotation annotation) {
        return Objects.requireNonNullElse(annotation.getArguments(), List.<Expression>of()).stream()
                .flatMap(PoolName::nameValues)
                .flatMap(value -> value instanceof J.NewArray names
                        ? Objects.requireNonNullElse(names.getInitializer(), List.<Expression>of()).stream()
                        : Stream.of(value))
                .flatMap(value -> value instanceof J.Literal literal && literal.getValue() instanceof String name
                        ? Stream.of(name)
                        : Stream.empty())
                .filter(name -> name.matches("[\\w.:/-]+")) // needs no escapes in a literal
                .findFirst();
    }

    private static Stream<Expression> nameValues(Expression argument) {
        if (!(argument instanceof J.Assignment attribute)) {
            return Stream.of(argument);
        }
        String name = lastName(attribute.getVariable());
        return "name".equals(name) || "value".equals(name) ? Stream.of(attribute.getAssignment()) : Stream.empty();
    }
}
