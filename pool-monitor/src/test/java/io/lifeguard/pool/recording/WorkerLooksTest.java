package io.lifeguard.pool.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.WorkerLooks.Act;
import io.lifeguard.pool.recording.WorkerLooks.Worker;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WorkerLooksTest {

    private static final Act IDLE = new Act(Doing.IDLE, false, "", "", "", 0);
    private static final Act HOSTILE = new Act(Doing.WAITING_FOR_LOCK, true, "a\tb\n", "\\n", "c\r\n\\", -7);

    private static Worker worker(String name, long cpu, Integer... acts) {
        return new Worker(name, OptionalLong.of(cpu), OptionalLong.empty(), List.of(acts));
    }

    @Test
    void read_whatTextWrote_isEqualWhateverNamesContain() {
        WorkerLooks looks = new WorkerLooks(
                List.of(0L, 50_000_000L, 50_000_000L, 999_900_000L),
                List.of(IDLE, HOSTILE),
                List.of(
                        worker("w-9", 0, 0, 0, 0, 1),
                        worker("w-10", 0, 0, 0, 0, 1),
                        worker("w-11", 0, 0, 0, 0, 1),
                        worker("w-12", 990_000_000, 1, 0, WorkerLooks.ABSENT, 1),
                        worker("", 10_000, 1, 1, 1, 1),
                        worker("x\ty\n007", 0, 0, 0, 0, 0),
                        worker("x\ty\n008", 0, 0, 0, 0, 0),
                        worker("2147483647", 0, 0, 0, 0, 0)));

        assertThat(WorkerLooks.read(looks.text())).isEqualTo(looks);
    }

    @Test
    void text_aThousandIdleWorkers_takesAHundredCharacters() {
        List<Worker> workers = IntStream.rangeClosed(1, 1000)
                .mapToObj(i -> new Worker(
                        "pool-worker-" + i, OptionalLong.empty(), OptionalLong.empty(), Collections.nCopies(20, 0)))
                .toList();
        WorkerLooks looks = new WorkerLooks(
                LongStream.range(0, 20).map(i -> i * 50_000_000).boxed().toList(), List.of(IDLE), workers);

        assertThat(looks.text()).hasSizeLessThan(120);
        assertThat(WorkerLooks.read(looks.text())).isEqualTo(looks);
    }

    @Test
    void text_fiveHundredWorkersThatDifferLittle_takesAKilobyte() {
        Random random = new Random(1);
        List<Worker> workers = IntStream.rangeClosed(1, 500)
                .mapToObj(i -> worker("pool-worker-" + i, 1_000_000L * random.nextInt(3), random.nextInt(2), 1, 1))
                .toList();
        WorkerLooks looks = new WorkerLooks(List.of(0L, 300_000_000L, 600_000_000L), List.of(IDLE, HOSTILE), workers);

        assertThat(looks.text()).hasSizeLessThan(1100);
        assertThat(WorkerLooks.read(looks.text())).isEqualTo(looks);
    }

    @Test
    void read_somethingElse_isRefused() {
        assertThatThrownBy(() -> WorkerLooks.read("§")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> WorkerLooks.read("A\nx")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> WorkerLooks.read("A\n\nw\t")).isInstanceOf(IllegalArgumentException.class);
    }

    /** A few kilobytes of a forged recording may ask for any number of workers. */
    @Test
    void read_moreThanAnyWindowHas_isCutOff() {
        WorkerLooks one = new WorkerLooks(List.of(0L), List.of(IDLE), List.of(worker("w", 0, 0)));
        String text = one.text();
        String line = text.substring(text.lastIndexOf('\n'));

        assertThat(WorkerLooks.read(text + line.repeat(200_000)).workers()).hasSize(100_000);
    }
}
