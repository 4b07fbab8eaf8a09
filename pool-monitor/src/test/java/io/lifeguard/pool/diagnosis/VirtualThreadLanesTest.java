package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.evidence.carrier.ThreadBands;
import io.lifeguard.pool.diagnosis.evidence.carrier.ThreadBands.Band;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Mounted;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Why;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.WorkerLooks;
import io.lifeguard.pool.recording.WorkerLooks.Act;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Carriers are lanes, and threads are bands as broad as their share, whatever their number. */
class VirtualThreadLanesTest {

    private static final ProcessWindow PROCESS = ProcessWindow.unknown(2);
    private static final long SECOND = 1_000_000_000L;

    private final List<Observation> told = new ArrayList<>();
    private final VirtualThreadLanes lanes = new VirtualThreadLanes("virtual threads", nanos -> nanos, told::add);

    private static CarrierLooks looks(int carriers, Mounted... mounted) {
        return new CarrierLooks(
                carriers,
                4,
                0,
                OptionalInt.of(0),
                Duration.ofSeconds(1),
                false,
                List.of(mounted),
                OptionalDouble.empty());
    }

    /** What each lane shows, by its name. */
    private Map<String, Act> lanes(String pool) {
        PoolLooks looks = told.stream()
                .filter(PoolLooks.class::isInstance)
                .map(PoolLooks.class::cast)
                .filter(each -> each.pool().equals(pool))
                .findFirst()
                .orElseThrow();
        WorkerLooks read = WorkerLooks.read(looks.content());
        Map<String, Act> lanes = new LinkedHashMap<>();
        read.workers()
                .forEach(worker ->
                        lanes.put(worker.thread(), read.acts().get(worker.acts().get(0))));
        return lanes;
    }

    @Test
    void record_runningThreads_takeAsManyCarriers() {
        lanes.record(0, SECOND, looks(4), OptionalInt.of(3), List.of(), PROCESS);
        Map<String, Act> shown = lanes("virtual threads");
        assertThat(shown.keySet()).containsExactly("carrier 1", "carrier 2", "carrier 3", "carrier 4");
        assertThat(shown.values())
                .extracting(Act::doing)
                .containsExactly(Doing.COMPUTING, Doing.COMPUTING, Doing.COMPUTING, Doing.IDLE);
        WindowSummary window = (WindowSummary) told.get(1);
        assertThat(window.pool()).as("to which pictures fit the lanes").isEqualTo("virtual threads");
        assertThat(window.load().size()).isEqualTo(4);
        assertThat(window.shares()).containsOnly(Map.entry(Doing.COMPUTING, 3.0), Map.entry(Doing.IDLE, 1.0));
    }

    /** Before Java 24 only what keeps a carrier is known. */
    @Test
    void record_numberOfRunningThreadsUnknown_showsKeptCarriersOnly() {
        Mounted kept = new Mounted("", Why.MONITOR, "com.example.Orders.load(Orders.java:42)", "Account@1", List.of());
        lanes.record(0, SECOND, looks(2, kept), OptionalInt.empty(), List.of(), PROCESS);
        assertThat(lanes("virtual threads")).hasSize(1).hasEntrySatisfying("carrier 1", act -> {
            assertThat(act.doing()).isEqualTo(Doing.WAITING_FOR_LOCK);
            assertThat(act.place()).isEqualTo("com.example.Orders.load(Orders.java:42)");
            assertThat(act.awaited()).isEqualTo("Account@1");
        });
    }

    @Test
    void record_threadsByWhatTheyWaitFor_areBandsOfTheirShare() {
        Band inLine =
                new Band(Doing.WAITING_IN_LINE, "com.example.Orders.load(Orders.java:42)", "HikariPool-1", "", 0.9);
        Band outside = new Band(Doing.WAITING_OUTSIDE, "", "", "", 0.1);
        List<ThreadBands> bands = List.of(new ThreadBands("orders", 100_000, List.of(inLine, outside)));
        lanes.record(0, SECOND, looks(2), OptionalInt.of(0), bands, PROCESS);
        assertThat(lanes("orders (virtual threads)").values())
                .hasSize(VirtualThreadLanes.LANES)
                .extracting(Act::doing)
                .containsOnly(Doing.WAITING_IN_LINE, Doing.WAITING_OUTSIDE)
                .filteredOn(doing -> doing == Doing.WAITING_IN_LINE)
                .hasSize(45);
        assertThat(((PoolLooks) told.get(2)).content())
                .as("one line for each band")
                .hasSizeLessThan(150);
        lanes.record(0, SECOND, looks(2), OptionalInt.of(0), Collections.nCopies(20, bands.get(0)), PROCESS);
        assertThat(told).as("two for carriers and for each of eight executors").hasSize(4 + 2 + 2 * 8);
        WindowSummary window = (WindowSummary) told.get(3);
        assertThat(window.load().size()).isEqualTo(VirtualThreadLanes.LANES);
        assertThat(window.shares())
                .containsOnly(Map.entry(Doing.WAITING_IN_LINE, 45.0), Map.entry(Doing.WAITING_OUTSIDE, 5.0));
    }
}
