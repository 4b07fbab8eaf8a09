package io.lifeguard.browser;

import io.lifeguard.pool.report.drawing.PoolReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** Measures the page of 1,000 workers and one hour: its size, its first paint, and each frame while it is moved. */
final class MeasurePage {

    private MeasurePage() {}

    public static void main(String[] arguments) throws IOException {
        long begin = System.nanoTime();
        PoolReport report = PoolReport.of("Large", SampleRecordings.large(1000, 3600));
        try (Browser browser = Browser.start()) {
            Path file = browser.open("large", report);
            print(
                    "file: %.2f MB, made and opened within %.1f s",
                    Files.size(file) / 1e6, (System.nanoTime() - begin) / 1e9);
            browser.driver().manage().timeouts().scriptTimeout(Duration.ofMinutes(5));
            for (int i = 0; i < 3; i++) {
                browser.driver().navigate().refresh();
                browser.awaitDrawn();
                print(
                        "first paint %.0f ms, picture complete %.0f ms",
                        browser.number("return performance.getEntriesByName('first-contentful-paint')[0].startTime"),
                        browser.number("return performance.getEntriesByName('drawn')[0].startTime"));
            }
            frames(browser, "band, 1 hour");
            browser.press("e");
            frames(browser, "lanes, 1 hour");
            browser.script("picture.axis.show(600, 1200)");
            browser.awaitDrawn();
            frames(browser, "lanes, 10 minutes");
        }
    }

    private static void frames(Browser browser, String what) {
        Object times = browser.driver().executeAsyncScript("""
                        const done = arguments[0];
                        const length = picture.axis.length * 0.5;
                        picture.axis.show(0, length);
                        const work = [];
                        const frames = [];
                        let last = 0;
                        let i = 0;
                        const step = (now) => {
                          if (last) { frames.push(now - last); }
                          last = now;
                          if (i++ === 120) {
                            const sorted = (list) => list.sort((a, b) => a - b);
                            const [w, f] = [sorted(work), sorted(frames)];
                            delete picture.draw;
                            done([w[w.length >> 1], w[Math.floor(w.length * 0.98)], f[60], f[117]]);
                            return;
                          }
                          picture.axis.pan(0.008);
                          requestAnimationFrame(step);
                        };
                        const draw = Object.getPrototypeOf(picture).draw;
                        picture.draw = () => {
                          const begin = performance.now();
                          draw.call(picture);
                          work.push(performance.now() - begin);
                        };
                        requestAnimationFrame(step);
                        """);
        print("%s: script median, 98 %%; frame median, 98 %% in ms: %s", what, String.valueOf(times));
    }

    private static void print(String format, Object... arguments) {
        System.out.println(String.format(Locale.ROOT, format, arguments));
    }
}
