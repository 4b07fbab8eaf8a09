package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandles;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class KindNamesTest {

    static class Nested {}

    @Test
    void of_ordinaryClass_isItsName() {
        assertThat(KindNames.of(Nested.class)).isEqualTo(KindNamesTest.class.getName() + "$Nested");
        assertThat(KindNames.of(Nested.class)).isSameAs(KindNames.of(Nested.class));
    }

    @Test
    void of_lambdaOrMethodReference_isTheClassWhoseSourceContainsIt() {
        Runnable lambda = () -> assertThat(this).isNotNull();
        Callable<String> reference = this::toString;

        assertThat(KindNames.of(lambda.getClass())).isEqualTo(KindNamesTest.class.getName() + " (lambda)");
        assertThat(KindNames.of(reference.getClass())).isEqualTo(KindNamesTest.class.getName() + " (lambda)");
    }

    @Test
    void of_hiddenClass_doesNotShowItsNumber() throws IllegalAccessException {
        byte[] bytes = GeneratedClasses.bytesOf(KindNamesTest.class.getPackageName() + ".Hidden");
        Class<?> hidden = MethodHandles.lookup().defineHiddenClass(bytes, false).lookupClass();

        assertThat(hidden.getName()).contains("/");
        assertThat(KindNames.of(hidden)).isEqualTo(KindNamesTest.class.getPackageName() + ".Hidden");
    }

    @Test
    void clean_fitName_isTheSameObject() {
        for (String name : new String[] {"orders", "Bestellungen für Zürich", "注文", "rocket \uD83D\uDE80"}) {
            assertThat(KindNames.clean(name)).isSameAs(name);
        }
    }

    @Test
    void clean_controlCharacters_areReplaced() {
        assertThat(KindNames.clean("a\nb\r\tc\u0000d\u007fe\u0085f")).isEqualTo("a?b??c?d?e?f");
        assertThat(KindNames.clean("line\u2028sep\u2029right\u202eleft\u200b")).isEqualTo("line?sep?right?left?");
    }

    @Test
    void clean_brokenSurrogates_areReplaced() {
        assertThat(KindNames.clean("a\uD83D")).isEqualTo("a?");
        assertThat(KindNames.clean("\uDE80b")).isEqualTo("?b");
    }

    @Test
    void clean_longName_isCutWithoutBreakingACharacter() {
        assertThat(KindNames.clean("x".repeat(1_000_000))).isEqualTo("x".repeat(200));
        assertThat(KindNames.clean("x".repeat(199) + "\uD83D\uDE80")).isEqualTo("x".repeat(199) + "?");
    }

    @Test
    void clean_empty_isVisible() {
        assertThat(KindNames.clean("")).isEqualTo("?");
    }
}
