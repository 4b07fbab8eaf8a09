package io.lifeguard.examples.jaraudit;

import io.lifeguard.examples.Command;
import io.lifeguard.examples.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Audits a directory of jars with two pools that differ in their saturation policy only. Stateless. */
public final class JarAuditCommand implements Command {

    private static final String DISPATCHER = "dispatcher";

    /** Creates the command. */
    public JarAuditCommand() {}

    @Override
    public String name() {
        return "jar-audit";
    }

    @Override
    public String summary() {
        return "audits a directory of jars: what a waiting dispatcher gains over one that runs tasks";
    }

    @Override
    public int run(List<String> arguments, Terminal terminal) {
        Options options;
        try {
            options = Options.parse(arguments);
        } catch (IllegalArgumentException wrong) {
            terminal.err().printf("jar-audit: %s%nTry: jar-audit --help%n", wrong.getMessage());
            return USAGE;
        }
        Thread thread = Thread.currentThread();
        String name = thread.getName();
        thread.setName(DISPATCHER);
        try {
            return run(options, terminal);
        } catch (AuditFailure failure) {
            terminal.err().printf("jar-audit: %s%n", failure.getMessage());
            return FAILED;
        } catch (InterruptedException interrupted) {
            terminal.err().printf("jar-audit: interrupted%n");
            return INTERRUPTED;
        } finally {
            thread.setName(name);
        }
    }

    private static int run(Options options, Terminal terminal) throws AuditFailure, InterruptedException {
        if (options.help()) {
            terminal.print(Options.USAGE);
            return OK;
        }
        new JarAudit(find(options, terminal), options, terminal).run();
        return OK;
    }

    private static JarList find(Options options, Terminal terminal) throws AuditFailure, InterruptedException {
        Path directory = options.directory()
                .orElseGet(() -> new LocalRepository(System.getProperties(), System.getenv()).directory());
        String name = Printable.text(directory.toString());
        String hint = options.directory().isPresent()
                ? ""
                : "; it is the local Maven repository, and another directory can be named as an argument";
        if (!Files.exists(directory)) {
            throw new AuditFailure("there is no directory " + name + hint);
        }
        if (!Files.isDirectory(directory)) {
            throw new AuditFailure(name + " is not a directory");
        }
        terminal.err().printf("Looking for jars in %s%n", name);
        try {
            JarList list = JarWalker.walk(directory);
            if (list.jars().isEmpty()) {
                list.unreadable().forEach(place -> terminal.err().printf("Could not look into %s%n", place));
                throw new AuditFailure("there are no jars in " + name + hint);
            }
            return list.sample(options.limit());
        } catch (IOException failure) {
            throw new AuditFailure("cannot read " + name + ": " + Printable.reason(failure));
        }
    }
}
