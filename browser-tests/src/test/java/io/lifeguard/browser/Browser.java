package io.lifeguard.browser;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.deque.html.axecore.selenium.AxeBuilder;
import io.lifeguard.pool.report.PoolReport;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
        logs("performance");
        logs("browser");
        driver.get(file.toUri().toString());
        awaitDrawn();
        return file;
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
