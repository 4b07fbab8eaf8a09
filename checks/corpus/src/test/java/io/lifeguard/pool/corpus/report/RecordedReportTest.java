package io.lifeguard.pool.corpus.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.corpus.run.Replay;
import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.pool.corpus.workloads.Workloads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecordedReportTest {

    private static final Workload WORKLOAD = Workloads.named("idle-night").orElseThrow();
    private static final Replay SAME = new Replay(WORKLOAD, Set.of("a of p"), Set.of("a of p"), 10);
    private static final Replay OTHER = new Replay(WORKLOAD, Set.of("a of p"), Set.of("b of p"), 10);

    @Test
    void isGood_nineteenOfTwenty_suffice() {
        List<Replay> replays = new ArrayList<>(Collections.nCopies(19, SAME));
        replays.add(OTHER);
        assertThat(new RecordedReport(replays).isGood()).isTrue();
        assertThat(new RecordedReport(replays).markdown())
                .contains("In 19 of 20 runs", "200 windows were recorded", "| `idle-night` | a of p | b of p |");

        replays.add(OTHER);
        assertThat(new RecordedReport(replays).isGood()).isFalse();
    }

    @Test
    void isGood_withoutWindowsOrRuns_isFalse() {
        Replay silent = new Replay(WORKLOAD, Set.of(), Set.of(), 0);
        assertThat(new RecordedReport(List.of(silent)).isGood()).isFalse();
        assertThat(new RecordedReport(List.of(silent)).markdown()).contains("no windows were recorded");
        assertThat(new RecordedReport(List.of()).isGood()).isFalse();
    }
}
