package io.lifeguard.browser;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.deque.html.axecore.selenium.AxeBuilder;
import io.lifeguard.pool.report.drawing.PoolReport;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.TakesScreenshot;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LoggingPreferences;

/** A headless Chromium that opens reports from files, and the live page. Not thread-safe. */
final class Browser implements AutoCloseable {

    private static final List<String> BINARIES = List.of("/usr/bin/chromium", "/usr/bin/google-chrome");
    private static final String DRIVER = "/usr/bin/chromedriver";
    private static final Path PAGES = Path.of("target", "pages");
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Starts the browser; skips the test where there is none, unless LIFEGUARD_BROWSER is {@code required}. */
    static Browser start() {
        String binary = BINARIES.stream()
                .filter(each -> Files.isExecutable(Path.of(each)))
                .findFirst()
                .orElse("");
        boolean isThere = !binary.isEmpty() && Files.isExecutable(Path.of(DRIVER));
        assumeTrue(isThere || "required".equals(System.getenv("LIFEGUARD_BROWSER")), "there is no Chromium");
        if (!isThere) {
            throw new IllegalStateException(
                    "LIFEGUARD_BROWSER is required, but there is no Chromium with chromedriver");
        }
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable("performance", Level.ALL);
        logs.enable("browser", Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(binary);
        options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,900");
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(new File(DRIVER))
                .build();
        ChromeDriver driver = new ChromeDriver(service, options);
        driver.manage().timeouts().scriptTimeout(Duration.ofMinutes(2));
        return new Browser(driver);
    }

    ChromeDriver driver() {
        return driver;
    }

    /** Writes a report, opens it, and waits until it is drawn. */
    Path open(String name, PoolReport report) throws IOException {
        Path file = Files.createDirectories(PAGES).resolve(name + ".html").toAbsolutePath();
        report.write(file);
        open(file);
        return file;
    }

    /** Opens a page that is there, and waits until it is drawn. */
    void open(Path file) {
        logs("performance");
        logs("browser");
        driver.get(file.toUri().toString());
        awaitDrawn();
    }

    void awaitDrawn() {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> Boolean.TRUE.equals(
                        script("return document.documentElement.dataset.ready === 'true' && !picture.axis.isAsked")));
    }

    /** Opens the live page, and waits until it has drawn its first answer. */
    void openLive(URI address) {
        driver.get("about:blank");
        logs("performance");
        logs("browser");
        driver.get(address.toString());
        awaitDrawn();
    }

    /** {@return what a script returns; null when that is nothing} */
    Object script(String code, Object... arguments) {
        Object result = ((JavascriptExecutor) driver).executeScript(code, arguments);
        return result == null ? "" : result;
    }

    double number(String code, Object... arguments) {
        return ((Number) script(code, arguments)).doubleValue();
    }

    String text(String selector) {
        return Objects.requireNonNullElse(find(selector).getText(), "");
    }

    WebElement find(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** Types keys at what has the focus. */
    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
        awaitDrawn();
    }

    void resize(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
    }

    void keepScreenshot(String name) throws IOException {
        byte[] bytes = ((TakesScreenshot) driver).getScreenshotAs(OutputType.BYTES);
        Files.write(Files.createDirectories(SCREENSHOTS).resolve(name + ".png"), bytes);
    }

    /** {@return which rules of axe-core the page violates, each with the first element that does} */
    List<String> violations() throws IOException {
        try (InputStream axe = Objects.requireNonNull(AxeBuilder.class.getResourceAsStream("/axe.min.js"))) {
            script(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
        }
        Object found = driver.executeAsyncScript("""
            const done = arguments[0];
            axe.run().then(
                (result) => done(result.violations.map((rule) => `${rule.id}: ${rule.nodes[0].html}`)),
                (error) => done([`axe failed: ${error}`]));
            """);
        return ((List<?>) Objects.requireNonNull(found))
                .stream().map(String::valueOf).toList();
    }

    /**
     * Leaves of the open page only what a picture in the documentation shows: the legend, the lanes and one strip.
     *
     * @param finding the pools with this finding are shown, and others with findings and workers; empty for all pools
     *     but the common one, as bands of shares
     * @param strip the title of the strip to show; empty for none
     */
    void prepare(int width, boolean isDark, String finding, String strip) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 1200, "deviceScaleFactor", 1.5, "mobile", false));
        script("""
            const [isDark, id, title] = arguments;
            document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
            const hide = (selector) => document.querySelectorAll(selector).forEach((each) => (each.hidden = true));
            hide('header, #verdicts, .card-head, .strips-head, main > section:nth-of-type(n + 3)');
            Object.assign(document.body.style, { padding: 0, overflow: 'hidden' });
            const style = { margin: 0, borderRadius: 0, border: 0, padding: '4px 14px 10px 4px' };
            Object.assign(document.querySelector('.card').style, style);
            const sick = picture.groups.filter(({ pool }) => pool.findings.some((each) => each.id === id));
            const isAlone = sick.every(({ pool }) => pool.workers.length === 0);
            if (sick.length) {
              picture.choosePool(sick[0].pool);
            }
            picture.groups.forEach((group) => {
              const { workers, submitters, findings } = group.pool;
              const isEmpty = workers.length + submitters.length + findings.length === 0;
              const isBystander = id
                ? !isAlone && !sick.includes(group) && (findings.length === 0 || workers.length === 0)
                : group.pool.name.startsWith('ForkJoinPool');
              group.section.hidden = isEmpty || isBystander || group.pool.name === 'warm-up';
              Object.defineProperty(group.lanes, 'isVisible', { get: () => true, set: () => {} });
              group.lanes.isExpanded = workers.length <= 20 && id !== '';
            });
            document.querySelectorAll('.strip').forEach((each) => {
              each.hidden = each.querySelector('h3').textContent !== title;
            });
            document.querySelector('#strips').parentElement.hidden = title === '';
            picture.resized();
            picture.recolor();
            """, isDark, finding, strip);
        awaitDrawn();
    }

    /**
     * Keeps what {@link #prepare} left as a picture, as good as the size of the file allows.
     *
     * @param most the size that the file may have, in bytes
     */
    void draw(Path file, int most) throws IOException {
        awaitDrawn();
        Map<?, ?> box = (Map<?, ?>) script("""
            const box = document.querySelector('.card').getBoundingClientRect();
            return { x: 0, y: 0, width: box.width, height: Math.ceil(box.bottom), scale: 1 };
            """);
        for (int quality : new int[] {82, 65, 45, 25}) {
            Map<String, Object> shot = driver.executeCdpCommand(
                    "Page.captureScreenshot",
                    Map.of("format", "webp", "quality", quality, "captureBeyondViewport", true, "clip", box));
            byte[] bytes = Base64.getDecoder().decode((String) Objects.requireNonNull(shot.get("data")));
            if (bytes.length <= most) {
                Files.write(file, bytes);
                return;
            }
        }
        throw new IllegalStateException(file + " would be larger than " + most + " bytes");
    }

    /** {@return the addresses that the browser asked for since the page was opened} */
    List<String> requests() {
        return logs("performance")
                .filter(entry -> entry.contains("\"Network.requestWillBeSent\""))
                .map(entry -> entry.replaceAll("(?s).*\"documentURL\":\"[^\"]*\".*?\"url\":\"([^\"]*)\".*", "$1"))
                .toList();
    }

    /** {@return what the page wrote to the console since it was opened} */
    List<String> console() {
        return logs("browser").toList();
    }

    private Stream<String> logs(String type) {
        return driver.manage().logs().get(type).getAll().stream().map(LogEntry::getMessage);
    }

    @Override
    public void close() {
        driver.quit();
    }
}
