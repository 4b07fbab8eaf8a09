package io.lifeguard.pool.rewrite;

import static io.lifeguard.pool.rewrite.ReplacementVisitor.JDK_PACKAGE;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Preconditions;
import org.openrewrite.Recipe;
import org.openrewrite.Tree;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.MethodMatcher;
import org.openrewrite.java.search.UsesType;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.Space;
import org.openrewrite.marker.Markers;

/**
 * Replaces the factories {@code Executors.new…} by those of {@code InstrumentedExecutors}. Stateless.
 *
 * <p>A pool is named after the field, the variable or the bean method that receives it: see {@link PoolName}. Without
 * such a name the form without a name is used, and the pool is named after class and line at run time. The declared
 * types stay, because both classes return the same types.
 *
 * <p>A call stays as it is where its replacement might not compile: its types are unknown, the file is compiled for a
 * Java before 17, or the file uses another type called {@code InstrumentedExecutors}.
 */
public final class InstrumentFactories extends Recipe {

    static final String JDK_NAME = "Executors";
    private static final String OUR_NAME = "InstrumentedExecutors";

    private static final String OTHER_TYPE = "the file uses another type called " + OUR_NAME;

    /** The factories that the JDK has in several forms, so that a method reference to them is never exact. */
    private static final Set<String> OVERLOADED = Set.of(
            "newFixedThreadPool",
            "newSingleThreadExecutor",
            "newCachedThreadPool",
            "newScheduledThreadPool",
            "newSingleThreadScheduledExecutor",
            "newWorkStealingPool");

    private static final Set<String> FACTORIES = Stream.concat(
                    OVERLOADED.stream(), Stream.of("newThreadPerTaskExecutor", "newVirtualThreadPerTaskExecutor"))
            .collect(Collectors.toUnmodifiableSet());

    private static final JavaType STRING = JavaType.ShallowClass.build("java.lang.String");

    private static final MethodMatcher ANY_FACTORY = new MethodMatcher(JDK_PACKAGE + "." + JDK_NAME + " new*(..)");

    /** Makes the recipe, which has no options. */
    public InstrumentFactories() {}

    @Override
    public String getDisplayName() {
        return "Create pools by `InstrumentedExecutors`";
    }

    @Override
    public String getDescription() {
        return "Replaces `Executors.new…` by `InstrumentedExecutors.new…`, with a name from the field, variable"
                + " or bean.";
    }

    @Override
    public TreeVisitor<?, ExecutionContext> getVisitor() {
        return Preconditions.check(new UsesType<>(JDK_PACKAGE + "." + JDK_NAME, false), new Visitor());
    }

    /** In a second cycle, a recipe that comes later sees the types in use, and can add the dependency. */
    @Override
    public boolean causesAnotherCycle() {
        return true;
    }

    static boolean isFactory(JavaType.Method method) {
        return isFactory(method.getName()) && ANY_FACTORY.matches(method);
    }

    static boolean isFactory(String name) {
        return FACTORIES.contains(name);
    }

    /**
     * Says whether a single argument fits a name as well as the JDK's parameter: null, or a call whose type follows
     * from the parameter.
     */
    private static boolean isAmbiguous(List<Expression> arguments) {
        if (arguments.size() != 1) {
            return false;
        }
        Expression argument = arguments.get(0).unwrap();
        return argument.getType() == JavaType.Primitive.Null
                || (argument instanceof J.MethodInvocation call && ReplacementVisitor.isGeneric(call.getMethodType()));
    }

    /** Returns why a call stays as it is; null if it is replaced. */
    static @Nullable String whyLeft(ReplacementVisitor visitor, J.MethodInvocation call, Cursor cursor) {
        if (!visitor.isFree(OUR_NAME)) {
            return OTHER_TYPE;
        }
        boolean hasName = PoolName.at(cursor).isPresent();
        return !hasName && isAmbiguous(call.getArguments()) ? "its argument would also fit a name" : null;
    }

    /** Returns why a reference to a factory stays as it is; null if it is replaced. */
    static @Nullable String whyLeft(ReplacementVisitor visitor, JavaType.Method factory) {
        if (!visitor.isFree(OUR_NAME)) {
            return OTHER_TYPE;
        }
        return OVERLOADED.contains(factory.getName()) ? null : "a reference to a method with one form only";
    }

    private static final class Visitor extends ReplacementVisitor {

        @Override
        public J visitMethodInvocation(J.MethodInvocation invocation, ExecutionContext context) {
            J.MethodInvocation call = (J.MethodInvocation) super.visitMethodInvocation(invocation, context);
            JavaType.Method method = call.getMethodType();
            if (method == null || !isFactory(method) || whyLeft(this, call, getCursor()) != null) {
                return call;
            }
            String name = PoolName.at(getCursor()).orElse(null);
            JavaType.Method replacement =
                    (name == null ? method : withName(method)).withDeclaringType(ourType(OUR_NAME));
            Expression select = call.getSelect();
            if (select == null) {
                maybeRemoveImport(JDK_PACKAGE + "." + JDK_NAME + "." + method.getName());
            }
            J.Identifier target = replace(JDK_NAME, OUR_NAME, select == null ? Space.EMPTY : select.getPrefix());
            return call.withSelect(target)
                    .withName(call.getName().withType(replacement))
                    .withMethodType(replacement)
                    .withArguments(name == null ? call.getArguments() : withName(name, call.getArguments()));
        }

        @Override
        public J visitMemberReference(J.MemberReference reference, ExecutionContext context) {
            J.MemberReference method = (J.MemberReference) super.visitMemberReference(reference, context);
            JavaType.Method type = method.getMethodType();
            if (type == null || !isFactory(type) || whyLeft(this, type) != null) {
                return method;
            }
            Space prefix = method.getContaining().getPrefix();
            return method.withContaining(replace(JDK_NAME, OUR_NAME, prefix))
                    .withMethodType(type.withDeclaringType(ourType(OUR_NAME)));
        }

        private static JavaType.Method withName(JavaType.Method method) {
            return method.withParameterNames(prepended("name", method.getParameterNames()))
                    .withParameterTypes(prepended(STRING, method.getParameterTypes()));
        }

        private static List<Expression> withName(String name, List<Expression> arguments) {
            J.Literal literal = new J.Literal(
                    Tree.randomId(),
                    Space.EMPTY,
                    Markers.EMPTY,
                    name,
                    "\"" + name + "\"",
                    null,
                    JavaType.Primitive.String);
            Expression first = arguments.get(0);
            Space before = first.getPrefix();
            if (first instanceof J.Empty) {
                return List.of(before.getComments().isEmpty() ? literal : literal.withPrefix(before));
            }
            // What stands on a line of its own stays there, and the name stands before it.
            boolean isIndented = !before.getWhitespace().isEmpty();
            return prepended(
                    isIndented ? literal.withPrefix(before.withComments(List.of())) : literal,
                    isIndented ? arguments : withSpaceBefore(first, arguments));
        }

        private static List<Expression> withSpaceBefore(Expression first, List<Expression> arguments) {
            return Stream.concat(
                            Stream.of(first.<Expression>withPrefix(
                                    first.getPrefix().withWhitespace(" "))),
                            arguments.stream().skip(1))
                    .toList();
        }

        private static <T> List<T> prepended(T first, List<T> others) {
            return Stream.concat(Stream.of(first), others.stream()).toList();
        }
    }
}
