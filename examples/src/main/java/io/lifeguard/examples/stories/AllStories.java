package io.lifeguard.examples.stories;

import io.lifeguard.examples.Command;
import io.lifeguard.examples.Terminal;
import java.util.List;

/** Runs all stories, one after the other. Stateless. */
public final class AllStories implements Command {

    private static final List<Command> STORIES = List.of(
            new CacheStory(), // first, while the size of the common pool can still be set
            new DispatcherStory(),
            new LessIsMoreStory(),
            new HiddenCallStory(),
            new EventLoopStory(),
            new LockStory(),
            new StaticSizeStory());

    /** Creates the command. */
    public AllStories() {}

    /** Returns each story as a command. */
    public static List<Command> each() {
        return STORIES;
    }

    @Override
    public String name() {
        return "stories";
    }

    @Override
    public String summary() {
        return "runs all stories, in about four minutes";
    }

    @Override
    public int run(List<String> arguments, Terminal terminal) {
        int worst = OK;
        for (Command story : STORIES) {
            int status = story.run(arguments, terminal);
            if (status == USAGE || status == INTERRUPTED) {
                return status;
            }
            worst = Math.max(worst, status);
        }
        return worst;
    }
}
