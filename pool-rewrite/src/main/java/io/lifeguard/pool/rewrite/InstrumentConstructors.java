package io.lifeguard.pool.rewrite;

import static io.lifeguard.pool.rewrite.ReplacementVisitor.JDK_PACKAGE;

import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Preconditions;
import org.openrewrite.Recipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.search.UsesType;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeUtils;

/**
 * Replaces {@code new ThreadPoolExecutor(…)} and {@code new ScheduledThreadPoolExecutor(…)} by Lifeguard's classes with
 * the same arguments. Stateless.
 *
 * <p>Declared types stay, because Lifeguard's classes extend the JDK's. Class and line give the pool its name at run
 * time. A construction stays as it is where a replacement might not compile:
 *
 * <ul>
 *   <li>an anonymous subclass, whose methods could clash with those of Lifeguard's class;
 *   <li>the compiler would infer a type from the construction, for {@code var}, a diamond or a generic method, so that
 *       the narrower type could be wrong elsewhere;
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
            String replaced = replacedClass(pool);
            if (replaced == null || !isFree("Instrumented" + replaced) || isTypeInferred(getCursor())) {
                return pool;
            }
            JavaType.Method constructor = pool.getConstructorType();
            if (constructor == null || pool.getClazz() == null) {
                return pool;
            }
            J.Identifier type =
                    replace(replaced, "Instrumented" + replaced, pool.getClazz().getPrefix());
            return pool.withClazz(type)
                    .withConstructorType(constructor.withDeclaringType(ourType(type.getSimpleName())));
        }

        /** Returns the simple name of the JDK's class, or null if the construction is none of a pool, or a subclass. */
        private static @Nullable String replacedClass(J.NewClass construction) {
            if (construction.getBody() != null || construction.getConstructorType() == null) {
                return null;
            }
            for (String candidate : new String[] {POOL, SCHEDULED_POOL}) {
                if (TypeUtils.isOfClassType(
                        construction.getConstructorType().getDeclaringType(), JDK_PACKAGE + "." + candidate)) {
                    return candidate;
                }
            }
            return null;
        }

        /** Says whether the type of an expression may decide about another type, or whether that is unknown. */
        private static boolean isTypeInferred(Cursor expression) {
            Cursor outer = expression.getParentTreeCursor();
            Object tree = outer.getValue();
            if (tree instanceof J.Parentheses
                    || tree instanceof J.ControlParentheses
                    || tree instanceof J.Ternary
                    || tree instanceof J.Lambda) {
                return isTypeInferred(outer);
            }
            if (tree instanceof J.Return) {
                Cursor body =
                        outer.dropParentUntil(each -> each instanceof J.Lambda || each instanceof J.MethodDeclaration);
                return body.getValue() instanceof J.Lambda && isTypeInferred(body);
            }
            if (tree instanceof J.VariableDeclarations.NamedVariable) {
                J.VariableDeclarations declaration = outer.firstEnclosing(J.VariableDeclarations.class);
                return declaration == null
                        || declaration.getTypeExpression() == null
                        || isVar(declaration.getTypeExpression());
            }
            if (tree instanceof J.MethodInvocation call) {
                return call.getSelect() != expression.getValue() && isGeneric(call.getMethodType());
            }
            if (tree instanceof J.NewClass construction) {
                return isGeneric(construction.getConstructorType()) || isDiamond(construction);
            }
            return !(tree instanceof J.Assignment
                    || tree instanceof J.TypeCast
                    || tree instanceof J.NewArray
                    || tree instanceof J.Block);
        }

        private static boolean isVar(J typeExpression) {
            return typeExpression instanceof J.Identifier identifier
                    && identifier.getSimpleName().equals("var");
        }

        private static boolean isDiamond(J.NewClass construction) {
            return construction.getClazz() instanceof J.ParameterizedType type
                    && type.getTypeParameters() != null
                    && type.getTypeParameters().stream().anyMatch(J.Empty.class::isInstance);
        }
    }
}
