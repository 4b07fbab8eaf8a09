package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.DeadlockCircle;
import io.lifeguard.pool.diagnosis.seen.DeadlockCircle.Member;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Threads that wait for each other. */
class DeadlockTest {

    private static final Member VIRTUAL =
            new Member(23, "", true, "com.example.Account@1a", "com.example.Bank.move(Bank.java:7)", List.of("a"));
    private static final Member PLATFORM = new Member(
            25,
            "audit-1",
            false,
            "java.util.concurrent.locks.ReentrantLock@2b",
            "com.example.Audit.run(Audit.java:9)",
            List.of("b"));

    private final Deadlock rule = new Deadlock();

    private Verdict examine(DeadlockCircle... circles) {
        return examine("", circles);
    }

    private Verdict examine(String unseen, DeadlockCircle... circles) {
        PoolWindow window = Windows.of("threads").build().toBuilder()
                .subject(PoolWindow.Subject.THREADS)
                .seen(DeadlockCircle.All.class, new DeadlockCircle.All(List.of(circles), unseen))
                .build();
        return rule.examine(window);
    }

    @Test
    void examine_oneCircle_namesEveryThreadLockAndLine() {
        Finding finding = examine(new DeadlockCircle(List.of(VIRTUAL, PLATFORM), false))
                .finding()
                .orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(finding.summary())
                .isEqualTo("2 threads wait for each other forever: virtual thread #23 waits for com.example.Account@1a"
                        + " at com.example.Bank.move(Bank.java:7); thread \"audit-1\" #25 waits for"
                        + " java.util.concurrent.locks.ReentrantLock@2b at com.example.Audit.run(Audit.java:9)");
        assertThat(finding.evidence())
                .containsEntry("virtual", 1L)
                .containsEntry(
                        "circle",
                        List.of(
                                "virtual thread #23 waits for com.example.Account@1a at"
                                        + " com.example.Bank.move(Bank.java:7), held by thread \"audit-1\" #25",
                                "thread \"audit-1\" #25 waits for java.util.concurrent.locks.ReentrantLock@2b at"
                                        + " com.example.Audit.run(Audit.java:9), held by virtual thread #23"));
        assertThat(rule.windowsToRaise()).isEqualTo(1);
    }

    @Test
    void examine_twoCircles_saysThatThereAreMore() {
        DeadlockCircle circle = new DeadlockCircle(List.of(VIRTUAL, PLATFORM), false);
        assertThat(examine(circle, circle).finding().orElseThrow().summary()).endsWith("; and 1 more such circles");
    }

    @Test
    void examine_holdersAreConcludedFromStacks_saysSo() {
        Finding finding = examine(new DeadlockCircle(List.of(VIRTUAL, PLATFORM), true))
                .finding()
                .orElseThrow();
        assertThat(finding.summary()).startsWith("2 threads wait for each other forever (by their stacks): virtual");
        assertThat(finding.evidence().get("circle"))
                .asString()
                .contains("held by thread \"audit-1\" #25 (by its stack)", "held by virtual thread #23 (by its stack)");
    }

    @Test
    void examine_noCircleButHoldersUnknown_isUnknown() {
        assertThat(examine("who holds the monitors")).isEqualTo(Verdict.unknown("who holds the monitors"));
        assertThat(examine("who holds the monitors", new DeadlockCircle(List.of(VIRTUAL, PLATFORM), false))
                        .finding())
                .isPresent();
    }

    @Test
    void examine_noCircle_isClear() {
        assertThat(examine()).isEqualTo(Verdict.clear());
        assertThat(rule.examine(Windows.of("pool").build())).isNotEqualTo(Verdict.clear());
    }
}
