package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KindTableTest {

    private final KindTable table = new KindTable();

    @Test
    void numberOf_sameKind_isTheSameNumber() {
        int named = table.numberOf("orders");
        int typed = table.numberOf(String.class);

        assertThat(named).isNotEqualTo(typed).isPositive();
        assertThat(table.numberOf(new String("orders"))).isEqualTo(named);
        assertThat(table.numberOf(String.class)).isEqualTo(typed);
        assertThat(table.numberOf("java.lang.String")).isEqualTo(typed);
        assertThat(table.nameOf(named)).isEqualTo("orders");
        assertThat(table.names()).containsExactly("(other)", "orders", "java.lang.String");
    }

    @Test
    void numberOf_nullOrTheNameOfOthers_isOther() {
        assertThat(table.numberOf(null)).isEqualTo(KindTable.OTHER);
        assertThat(table.numberOf("(other)")).isEqualTo(KindTable.OTHER);
        assertThat(table.names()).hasSize(1);
    }

    @Test
    void numberOf_tenThousandNames_keepsTheFirst128() {
        for (int i = 0; i < 10_000; i++) {
            int number = table.numberOf("kind-" + i);
            assertThat(number).isEqualTo(i < 128 ? i + 1 : KindTable.OTHER);
        }

        assertThat(table.names()).hasSize(KindTable.CAPACITY);
        assertThat(table.numberOf("kind-77")).isEqualTo(78);
    }

    @Test
    void numberOf_uncleanName_isKnownByItsCleanFormBeforeAndAfterTheTableIsFull() {
        int number = table.numberOf("a\nb");
        assertThat(table.nameOf(number)).isEqualTo("a?b");
        for (int i = 0; i < 1_000; i++) {
            table.numberOf("kind-" + i);
        }

        assertThat(table.numberOf("a\nb")).isEqualTo(number);
        assertThat(table.numberOf("a?b")).isEqualTo(number);
        assertThat(table.numberOf("c\nd")).isEqualTo(KindTable.OTHER);
    }

    @Test
    void numberOf_veryLongNames_areBoundedTogetherToo() {
        for (int i = 0; i < 1_000; i++) {
            table.numberOf(i + "x".repeat(50_000));
        }

        assertThat(Stream.of(table.names()).mapToInt(String::length).sum())
                .isLessThanOrEqualTo(KindTable.NAME_CHARACTERS + KindTable.OTHER_NAME.length());
        assertThat(table.names())
                .hasSizeGreaterThan(40)
                .allSatisfy(name -> assertThat(name.length()).isLessThanOrEqualTo(200));
    }

    @Test
    void numberOf_tenThousandClasses_keepsTheFirst128() {
        for (int i = 0; i < 10_000; i++) {
            int number = table.numberOf(GeneratedClasses.define("gen.Task" + i));
            assertThat(number).isEqualTo(i < 128 ? i + 1 : KindTable.OTHER);
        }
    }

    /** All threads leave a latch at once and meet the same names in different orders. */
    @Test
    void numberOf_manyThreadsAtOnce_giveEachNameOneNumber() throws InterruptedException {
        for (int round = 0; round < 50; round++) {
            KindTable fresh = new KindTable();
            CountDownLatch start = new CountDownLatch(1);
            int[][] numbers = new int[4][100];
            Thread[] threads = new Thread[4];
            for (int t = 0; t < threads.length; t++) {
                int thread = t;
                threads[t] = new Thread(() -> {
                    try {
                        start.await();
                    } catch (InterruptedException e) {
                        return;
                    }
                    for (int i = 0; i < 100; i++) {
                        int name = (i * 37 + thread * 25) % 100;
                        numbers[thread][name] = fresh.numberOf("kind-" + name);
                    }
                });
                threads[t].start();
            }
            start.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            Set<Integer> distinct = new HashSet<>();
            for (int name = 0; name < 100; name++) {
                distinct.add(numbers[0][name]);
                assertThat(fresh.nameOf(numbers[0][name])).isEqualTo("kind-" + name);
                for (int[] seen : numbers) {
                    assertThat(seen[name]).isEqualTo(numbers[0][name]);
                }
            }
            assertThat(distinct).hasSize(100);
        }
    }
}
