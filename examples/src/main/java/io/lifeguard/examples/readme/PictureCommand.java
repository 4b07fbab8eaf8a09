package io.lifeguard.examples.readme;

import io.lifeguard.examples.Command;
import io.lifeguard.examples.Terminal;
import io.lifeguard.examples.stories.Delay;
import io.lifeguard.examples.stories.RemoteClient;
import io.lifeguard.examples.stories.RemoteService;
import io.lifeguard.pool.BlockingWaitPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor.CallerRunsPolicy;

/** Draws the picture in the README from two measured runs, and writes it in light and in dark colours. Stateless. */
public final class PictureCommand implements Command {

    private static final Duration CALL = Duration.ofMillis(50);
    private static final double RUN_SECONDS = 4;

    /** Creates the command. */
    public PictureCommand() {}

    @Override
    public String name() {
        return "picture";
    }

    @Override
    public String summary() {
        return "draws the picture in the README from two measured runs";
    }

    @Override
    public int run(List<String> arguments, Terminal terminal) {
        if (arguments.size() != 1 || arguments.get(0).startsWith("-")) {
            terminal.err().printf("Usage: java -jar examples.jar picture DIRECTORY%n");
            return arguments.contains("--help") ? OK : USAGE;
        }
        try (RemoteService service = RemoteService.start();
                RemoteClient client = service.client()) {
            Runnable task = () -> client.call(Delay.around(CALL));
            LaneRun.record(BlockingWaitPolicy.forever(), 1, task); // opens the connections and compiles the code
            LanePicture picture = new LanePicture(
                    LaneRun.record(new CallerRunsPolicy(), RUN_SECONDS, task),
                    LaneRun.record(BlockingWaitPolicy.forever(), RUN_SECONDS, task));
            write(picture, Path.of(arguments.get(0)), terminal);
            return OK;
        } catch (IOException e) {
            terminal.err().printf("%s: %s%n", name(), e.getMessage());
            return FAILED;
        } catch (InterruptedException e) {
            return INTERRUPTED;
        }
    }

    private static void write(LanePicture picture, Path directory, Terminal terminal) throws IOException {
        Files.createDirectories(directory);
        for (LanePicture.Theme theme : LanePicture.Theme.values()) {
            Path file = directory.resolve("dispatcher-" + theme.fileSuffix() + ".svg");
            Files.writeString(file, picture.svg(theme));
            terminal.print(String.format("wrote %s%n", file));
        }
    }
}
