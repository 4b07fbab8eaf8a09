package io.lifeguard.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.report.PoolPage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Opens the live page in Chromium: it grows, keeps to itself, and goes on after its server was gone. */
class LivePageTest extends BrowserTest {

    @BeforeAll
    static void resize() {
        browser.resize(1280, 1000);
    }

    private static void eventually(ThrowingRunnable check) {
        await().atMost(Duration.ofSeconds(40)).untilAsserted(check);
    }

    private static double seconds() {
        return browser.number("return picture.axis.seconds");
    }

    /** A pool whose dispatcher runs tasks itself, while this is open. */
    private static final class SickPool implements AutoCloseable {

        private final InstrumentedThreadPoolExecutor pool;
        private final Thread dispatcher;
        private volatile boolean isOver;

        SickPool(String name) {
            pool = InstrumentedThreadPoolExecutor.named(name)
                    .size(4)
                    .queueCapacity(1)
                    .whenSaturated(new ThreadPoolExecutor.CallerRunsPolicy())
                    .build();
            dispatcher = new Thread(this::dispatch, name + " dispatcher");
            dispatcher.start();
        }

        private void dispatch() {
            while (!isOver) {
                pool.execute(() -> LockSupport.parkNanos(20_000_000));
            }
        }

        @Override
        public void close() throws InterruptedException {
            isOver = true;
            dispatcher.join();
            pool.shutdown();
        }
    }

    @Test
    void page_whileTheProgramRuns_growsAndAsksItsOwnServerOnly() throws Exception {
        try (SickPool ignored = new SickPool("growing");
                PoolPage.Server server = PoolPage.serve(0)) {
            browser.openLive(server.uri());
            eventually(() -> assertThat(browser.text("#lanes")).contains("growing"));
            double before = seconds();
            double segments = segments();

            eventually(() -> assertThat(seconds()).isGreaterThan(before + 3));

            assertThat(segments()).isGreaterThan(segments);
            assertThat(browser.text("#state")).isEqualTo("Live");
            assertThat(browser.number("return picture.axis.to - picture.axis.seconds"))
                    .isZero();
            assertThat(browser.console()).isEmpty();
            assertThat(browser.requests())
                    .isNotEmpty()
                    .allMatch(address -> address.startsWith(server.uri().toString()));
        }
    }

    private static double segments() {
        return browser.number("return picture.pools.flatMap((pool) => [...pool.workers, ...pool.submitters])"
                + ".reduce((sum, lane) => sum + lane.decoded.count, 0)");
    }

    @Test
    void page_ofASickPool_showsItFirstAndSpeaksOfIt() throws Exception {
        InstrumentedThreadPoolExecutor calm =
                InstrumentedThreadPoolExecutor.named("a calm one").size(2).build();
        try (SickPool ignored = new SickPool("z sick");
                PoolPage.Server server = PoolPage.serve(0)) {
            browser.openLive(server.uri());

            eventually(() -> assertThat(browser.text("#verdicts")).contains("dispatcher-runs-tasks", "z sick"));
            eventually(() ->
                    assertThat(browser.all(".group .choose").get(0).getText()).isEqualTo("z sick"));
            assertThat(browser.script("return picture.pools.map((pool) => pool.name)"))
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .contains("a calm one");
            for (int width : new int[] {400, 1280}) {
                browser.resize(width, 1000);
                browser.awaitDrawn();
                browser.keepScreenshot("live-" + width);
                assertThat(browser.violations()).as("light, %d wide", width).isEmpty();
                browser.press("d");
                browser.keepScreenshot("live-" + width + "-dark");
                assertThat(browser.violations()).as("dark, %d wide", width).isEmpty();
                browser.press("d");
            }
        } finally {
            calm.shutdown();
        }
    }

    @Test
    void page_paused_standsStillWhileTheRecordingGrows() throws Exception {
        try (SickPool ignored = new SickPool("paused");
                PoolPage.Server server = PoolPage.serve(0)) {
            browser.openLive(server.uri());
            eventually(() -> assertThat(browser.text("#lanes")).contains("paused"));

            browser.press("f");
            assertThat(browser.text("#follow")).isEqualTo("Follow");
            double shown = browser.number("return picture.axis.to");
            eventually(() -> assertThat(seconds()).isGreaterThan(shown + 2));
            assertThat(browser.number("return picture.axis.to")).isEqualTo(shown);

            browser.find("#follow").click();
            assertThat(browser.number("return picture.axis.to")).isGreaterThan(shown);
            assertThat(browser.text("#follow")).isEqualTo("Pause");
        }
    }

    @Test
    void page_serverGoneAndBack_saysSoAndGoesOn() throws Exception {
        try (SickPool ignored = new SickPool("restarted")) {
            PoolPage.Server first = PoolPage.serve(0);
            int port = first.port();
            browser.openLive(first.uri());
            eventually(() -> assertThat(browser.text("#lanes")).contains("restarted"));
            double begin = browser.number("return picture.axis.begin");

            first.close();
            eventually(
                    () -> assertThat(browser.text("#state")).contains("Not connected", "the server does not answer"));
            double known = seconds();

            try (PoolPage.Server second = serveAgain(port)) {
                eventually(() -> assertThat(browser.text("#state")).isEqualTo("Live"));
                eventually(() -> assertThat(seconds()).isGreaterThan(known));
                assertThat(second.port()).isEqualTo(port);
                assertThat(browser.number("return picture.axis.begin")).isEqualTo(begin);
                assertThat(browser.all(".group .choose").stream()
                                .filter(button -> "restarted".equals(button.getText())))
                        .hasSize(1);
                // other than the refused connections, nothing was worth a word
                assertThat(browser.console()).allMatch(line -> line.contains("net::ERR_"));
            }
        }
    }

    /** Connections of the former server may keep the port for a moment. */
    private static PoolPage.Server serveAgain(int port) {
        return await().atMost(Duration.ofSeconds(40))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> PoolPage.serve(port), server -> server != null);
    }

    @Test
    void names_hostile_stayText() throws Exception {
        try (SickPool ignored = new SickPool(SampleRecordings.EVIL);
                PoolPage.Server server = PoolPage.serve(0)) {
            browser.openLive(server.uri());
            eventually(() -> assertThat(browser.text("#verdicts")).contains("dispatcher-runs-tasks"));
            browser.press("n");

            assertThat(browser.driver().getTitle())
                    .startsWith("Thread pools, live: ")
                    .contains("process ");
            assertThat(browser.all("img")).isEmpty();
            assertThat(browser.text("#lanes")).contains("</script><script>document.title='owned'</script>");
            assertThat(browser.console()).isEmpty();
        }
    }

    /** An axis without a time would draw all its labels at one place. */
    @Test
    void page_withoutPools_drawsNoLabelsOverEachOther() throws Exception {
        try (PoolPage.Server server = PoolPage.serve(0)) {
            browser.openLive(server.uri());
            Object drawn = browser.script("""
                growing.forget();
                picture.recordings = [growing.recording];
                picture.renew();
                const shown = (each) => each.getClientRects().length > 0 && !each.closest('.spoken');
                const labels = [...document.querySelectorAll('body *')]
                  .filter((each) => each.children.length === 0 && each.textContent.trim() !== '' && shown(each))
                  .map((each) => [each.textContent, each.getBoundingClientRect()]);
                const covered = labels.filter(([, one], i) => labels.some(([, other], j) => j > i
                  && one.left < other.right - 1 && other.left < one.right - 1
                  && one.top < other.bottom - 1 && other.top < one.bottom - 1));
                const canvases = [...document.querySelectorAll('canvas')].filter(shown);
                return [labels.length > 3, covered.map(([text]) => text), canvases.length];
                """);

            assertThat(drawn).isEqualTo(List.of(true, List.of(), 0L));
        }
    }

    /** The answers are given to the page one after the other, and all are about the same bottleneck. */
    @Test
    void curve_contradictedLater_isDroppedAndThePageSaysWhy() throws Exception {
        try (PoolPage.Server server = PoolPage.serve(0)) {
            browser.openLive(server.uri());
            String kept = (String) browser.script("""
                const answer = (second, told) => ({
                  version: 1, title: 'T', instance: 'one', now: second * 1000, begin: second * 1000,
                  from: second === 0 ? 0 : second * 1000,
                  recordings: [{
                    label: '', start: second * 1000, span: 10000, tickMicros: 100,
                    process: { t: [], cores: [], cpu: [], others: [], gc: [], throttled: [] },
                    kinds: [], details: [{}], stacks: [], frames: [],
                    pools: [{
                      name: 'pool', moreWorkers: 0, moreSubmitters: 0, states: [0], rejections: [], workers: [],
                      submitters: [], findings: [], limit: 0, ...told,
                      windows: { t: [0, 10000], size: [2, null], active: [2, null], queued: [5, null],
                        throughput: [10, null], limit: [0, null], shares: [] },
                    }],
                  }],
                });
                const curve = { limit: 0, current: 2, recommended: 2, size: [1, 2], throughput: [5, 10],
                  low: [5, 10], high: [5, 10], service: [0.2, 0.2], measured: [[2, 10]] };
                growing.forget();
                const seen = () => {
                  const { curve, noCurve } = growing.recording.pools[0];
                  return [curve === null ? 'none' : 'drawn', noCurve ?? 'no reason'].join(' ');
                };
                growing.take(answer(0, { curve }));
                const first = seen();
                growing.take(answer(1, { curve: null }));
                const second = seen();
                growing.take(answer(2, { curve: null, noCurve: [2, 10, 6] }));
                const third = seen();
                growing.take(answer(3, { curve }));
                return [first, second, third, seen()].join('; ');
                """);

            assertThat(kept).isEqualTo("drawn no reason; drawn no reason; none 2,10,6; drawn no reason");
        }
    }

    /** Otherwise a page that grows would say "at first" of what was seen a moment ago. */
    @Test
    void finding_updatedLater_hasNewsOfThatMoment() throws Exception {
        try (PoolPage.Server server = PoolPage.serve(0)) {
            browser.openLive(server.uri());

            assertThat(browser.script("""
                const answer = (second) => ({
                  version: 1, title: 'T', instance: 'one', now: second * 1000, begin: second * 1000,
                  from: second === 0 ? 0 : second * 1000,
                  recordings: [{
                    label: '', start: second * 1000, span: 10000, tickMicros: 100,
                    process: { t: [], cores: [], cpu: [], others: [], gc: [], throttled: [] },
                    kinds: [], details: [{}], stacks: [], frames: [],
                    pools: [{
                      name: 'pool', moreWorkers: 0, moreSubmitters: 0, states: [0], rejections: [], workers: [],
                      submitters: [], limit: 0,
                      windows: { t: [0, 10000], size: [2, null], active: [2, null], queued: [5, null],
                        throughput: [10, null], limit: [0, null], shares: [] },
                      findings: [{ id: 'f', severity: 'INFO', summary: 's', advice: 'a', evidence: [], stack: [],
                        holder: '', size: null, low: null, high: null, since: 0, from: 0, news: 5000, to: null }],
                    }],
                  }],
                });
                growing.forget();
                growing.take(answer(0));
                growing.take(answer(30));
                return growing.recording.pools[0].findings.map(({ from, news }) => [from, news].join(' to ')).join();
                """)).isEqualTo("0 to 30.5");
        }
    }

    /** Answers for three hours, given to the page one after the other: it keeps ten minutes of them. */
    @Test
    void memory_afterHours_isAsSmallAsAfterMinutes() throws Exception {
        try (PoolPage.Server server = PoolPage.serve(0)) {
            browser.openLive(server.uri());
            browser.script("""
                const answer = (second) => ({
                  version: 1, title: 'T', instance: 'one', now: second * 1000, begin: (second - 7) * 1000,
                  from: second === 0 ? 0 : (second - 2) * 1000,
                  recordings: [{
                    label: '', start: second * 1000, span: 10000, tickMicros: 100,
                    process: { t: [0, 10000], cores: [2, null], cpu: [1, null], others: [0, null], gc: [0, null],
                      throttled: [0, null] },
                    kinds: ['Kind' + second],
                    details: [{}, { place: 'place ' + second }],
                    pools: [{
                      name: 'pool', moreWorkers: 0, moreSubmitters: 0, states: [0, 7], rejections: [0],
                      workers: [{ n: 'steady', s: 'AABofHAofLA', k: 'AofAAA' },
                        { n: 'thread ' + second, s: 'AABofLA' }],
                      submitters: [],
                      windows: { t: [0, 10000], size: [2, null], active: [1, null], queued: [0, null],
                        capacity: [8, null], throughput: [5, null], callerRuns: [0, null], rejected: [0, null],
                        waitMedian: [1, null], waitP99: [1, null], serviceMedian: [1, null], serviceP99: [1, null],
                        shares: Array.from({ length: 9 }, () => [0.2, null]) },
                      findings: second % 60 ? [] : [{ id: 'f' + second, severity: 'INFO', summary: 's', advice: 'a',
                        evidence: [], stack: [], holder: '', size: null, low: null, high: null,
                        since: second * 1000, from: 0, to: 5000, how: 'over' }],
                      curve: null,
                    }],
                  }],
                });
                window.measureMemory = () => {
                  const [pool] = growing.recording.pools;
                  return [growing.recording.details.length, growing.recording.kinds.length, pool.workers.length,
                    pool.workers.reduce((sum, lane) => sum + lane.decoded.start.length + lane.decodedTasks.length, 0),
                    pool.windows.t.length, pool.windows.shares[8].length, pool.findings.length,
                    pool.rejections.length, growing.recording.process.t.length];
                };
                growing.forget();
                window.sizes = [];
                for (let second = 0; second < 3 * 3600; second++) {
                  growing.take(answer(second));
                  if (second % 3600 === 1800) {
                    sizes.push(measureMemory());
                  }
                }
                """);
            Object sizes = browser.script("return sizes");

            List<?> first = (List<?>) ((List<?>) sizes).get(0);
            List<?> last = (List<?>) ((List<?>) sizes).get(2);
            for (int i = 0; i < first.size(); i++) {
                assertThat(((Number) last.get(i)).intValue())
                        .as("size %d", i)
                        .isBetween(5, 20_000)
                        .isLessThanOrEqualTo(((Number) first.get(i)).intValue() * 6 / 5);
            }
            assertThat(browser.number("return growing.recording.seconds - growing.recording.begin"))
                    .isBetween(600.0, 661.0);
        }
    }
}
