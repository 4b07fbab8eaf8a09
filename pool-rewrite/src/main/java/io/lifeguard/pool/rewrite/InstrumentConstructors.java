package io.lifeguard.pool.rewrite;

import static io.lifeguard.pool.rewrite.ReplacementVisitor.JDK_PACKAGE;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Preconditions;
import org.openrewrite.Recipe;
import org.openrewrite.Tree;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.search.UsesType;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeTree;
import org.openrewrite.java.tree.TypeUtils;
import org.openrewrite.marker.Markers;

/**
 * Replaces {@code new ThreadPoolExecutor(…)} and {@code new ScheduledThreadPoolExecutor(…)} by Lifeguard's classes with
 * the same arguments. Stateless.
 *
 * <p>Declared types stay, because Lifeguard's classes extend the JDK's. Class and line give the pool its name at run
 * time. A construction stays as it is where a replacement might not compile:
 *
 * <ul>
 *   <li>an anonymous subclass, whose methods could clash with those of Lifeguard's class;
 *   <li>the compiler would infer a type from the construction, for a diamond or a generic method, so that the narrower
 *       type could be wrong elsewhere; {@code var} becomes the type that was inferred;
 *   <li>the types are unknown, the file is compiled for a Java before 17, or it uses another type of the same name.
 * </ul>
 */
public final class InstrumentConstructors extends Recipe {

    private static final String POOL = "ThreadPoolExecutor";
    private static final String SCHEDULED_POOL = "ScheduledThreadPoolExecutor";

    /** Makes the recipe, which has no options. */
    public InstrumentConstructors() {}

    @Override
    public String getDisplayName() {
        return "Construct instrumented thread pools";
    }

    @Override
    public String getDescription() {
        return "Replaces `new ThreadPoolExecutor(…)` and `new ScheduledThreadPoolExecutor(…)` by Lifeguard's classes.";
    }

    @Override
    public TreeVisitor<?, ExecutionContext> getVisitor() {
        return Preconditions.check(
                Preconditions.or(
                        new UsesType<>(JDK_PACKAGE + "." + POOL, false),
                        new UsesType<>(JDK_PACKAGE + "." + SCHEDULED_POOL, false)),
                new Visitor());
    }

    /** In a second cycle, a recipe that comes later sees the types in use, and can add the dependency. */
    @Override
    public boolean causesAnotherCycle() {
        return true;
    }

    private static final class Visitor extends ReplacementVisitor {

        @Override
        public J visitNewClass(J.NewClass construction, ExecutionContext context) {
            J.NewClass pool = (J.NewClass) super.visitNewClass(construction, context);
            String replaced = jdkPool(pool);
            if (replaced == null || whyLeft(this, pool, replaced, getCursor()) != null || pool.getClazz() == null) {
                return pool;
            }
            JavaType.Method constructor = Objects.requireNonNull(pool.getConstructorType(), "the type is known");
            J.Identifier type =
                    replace(replaced, "Instrumented" + replaced, pool.getClazz().getPrefix());
            return pool.withClazz(type)
                    .withConstructorType(constructor.withDeclaringType(ourType(type.getSimpleName())));
        }

        /** Writes the type out in place of {@code var}, so that it stays what it was. */
        @Override
        @SuppressWarnings("ReferenceEquality") // trees are immutable: another object has other content
        public J visitVariableDeclarations(J.VariableDeclarations declaration, ExecutionContext context) {
            J.VariableDeclarations visited =
                    (J.VariableDeclarations) super.visitVariableDeclarations(declaration, context);
            TypeTree type = visited.getTypeExpression();
            JavaType.FullyQualified pool = declaration.getVariables().isEmpty()
                    ? null
                    : poolType(declaration.getVariables().get(0));
            if (type == null || !isVar(type) || pool == null || visited == declaration) {
                return visited;
            }
            maybeAddImport(pool.getFullyQualifiedName(), false);
            return visited.withTypeExpression(new J.Identifier(
                    Tree.randomId(), type.getPrefix(), Markers.EMPTY, List.of(), pool.getClassName(), pool, null));
        }
    }

    /** Returns the simple name of the JDK's class, or null unless the construction is known to be one of a pool. */
    static @Nullable String jdkPool(J.NewClass construction) {
        JavaType.Method constructor = construction.getConstructorType();
        if (constructor == null) {
            return null;
        }
        JavaType type = construction.getBody() == null || construction.getClazz() == null
                ? constructor.getDeclaringType()
                : construction.getClazz().getType();
        for (String candidate : new String[] {POOL, SCHEDULED_POOL}) {
            if (TypeUtils.isOfClassType(type, JDK_PACKAGE + "." + candidate)) {
                return candidate;
            }
        }
        return null;
    }

    /** Returns why a construction stays as it is; null if it is replaced. */
    static @Nullable String whyLeft(
            ReplacementVisitor visitor, J.NewClass construction, String jdkName, Cursor cursor) {
        if (construction.getBody() != null) {
            return "it is an anonymous subclass";
        }
        if (!visitor.isFree("Instrumented" + jdkName)) {
            return "the file uses another type called Instrumented" + jdkName;
        }
        return Inference.decidesAnotherType(cursor) ? "the compiler infers a type from it" : null;
    }

    /** Returns the JDK's pool that is the type of a variable; null for any other type. */
    private static JavaType.@Nullable FullyQualified poolType(J.VariableDeclarations.NamedVariable variable) {
        JavaType.FullyQualified type = TypeUtils.asFullyQualified(variable.getType());
        boolean isPool = TypeUtils.isOfClassType(type, JDK_PACKAGE + "." + POOL)
                || TypeUtils.isOfClassType(type, JDK_PACKAGE + "." + SCHEDULED_POOL);
        return isPool ? type : null;
    }

    private static boolean isVar(J typeExpression) {
        return typeExpression instanceof J.Identifier identifier
                && identifier.getSimpleName().equals("var");
    }

    /** What the compiler infers from the type of an expression. */
    private static final class Inference {

        /** Says whether the type of an expression may decide about another type, or whether that is unknown. */
        private static boolean decidesAnotherType(Cursor expression) {
            Cursor outer = expression.getParentTreeCursor();
            Object tree = outer.getValue();
            if (tree instanceof J.Parentheses
                    || tree instanceof J.ControlParentheses
                    || tree instanceof J.Ternary
                    || tree instanceof J.Lambda) {
                return decidesAnotherType(outer);
            }
            if (tree instanceof J.Return) {
                Cursor body =
                        outer.dropParentUntil(each -> each instanceof J.Lambda || each instanceof J.MethodDeclaration);
                return body.getValue() instanceof J.Lambda && decidesAnotherType(body);
            }
            if (tree instanceof J.VariableDeclarations.NamedVariable variable) {
                J.VariableDeclarations declaration = outer.firstEnclosing(J.VariableDeclarations.class);
                return declaration == null
                        || declaration.getTypeExpression() == null
                        || (isVar(declaration.getTypeExpression()) && poolType(variable) == null);
            }
            if (tree instanceof J.MethodInvocation call) {
                return call.getSelect() != expression.getValue() && ReplacementVisitor.isGeneric(call.getMethodType());
            }
            if (tree instanceof J.NewClass construction) {
                return ReplacementVisitor.isGeneric(construction.getConstructorType()) || isDiamond(construction);
            }
            return !(tree instanceof J.Assignment
                    || tree instanceof J.TypeCast
                    || tree instanceof J.NewArray
                    || tree instanceof J.Block);
        }

        private static boolean isDiamond(J.NewClass construction) {
            return construction.getClazz() instanceof J.ParameterizedType type
                    && type.getTypeParameters() != null
                    && type.getTypeParameters().stream().anyMatch(J.Empty.class::isInstance);
        }
    }
}
