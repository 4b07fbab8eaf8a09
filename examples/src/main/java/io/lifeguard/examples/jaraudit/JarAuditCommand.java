package io.lifeguard.examples.jaraudit;

import io.lifeguard.examples.Command;
import io.lifeguard.examples.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The command that audits jars with two pools that differ only in their saturation policy. Stateless. */
public final class JarAuditCommand implements Command {

    private static final String DISPATCHER = "audit-dispatcher";

    /** Creates the command. */
    public JarAuditCommand() {}

    @Override
    public String name() {
        return "jar-audit";
    }

    @Override
    public String summary() {
        return "audits jars, and shows what a dispatcher that waits gains over one that runs tasks";
    }

    @Override
    public int run(List<String> arguments, Terminal terminal) {
        Options options;
        try {
            options = Options.parse(arguments);
        } catch (IllegalArgumentException e) {
            terminal.err().printf("jar-audit: %s%nTry: jar-audit --help%n", e.getMessage());
            return USAGE;
        }
        Thread thread = Thread.currentThread();
        String name = thread.getName();
        thread.setName(DISPATCHER);
        try {
            return run(options, terminal);
        } catch (AuditFailure e) {
            terminal.err().printf("jar-audit: %s%n", e.getMessage());
            return FAILED;
        } catch (InterruptedException e) {
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
        if (options.directory().isPresent()) {
            JarList list = jarsIn(options.directory().get(), terminal);
            if (list.jars().isEmpty()) {
                list.unreadable().forEach(place -> terminal.err().printf("Could not read %s%n", place));
                throw new AuditFailure("there are no jars in "
                        + Printable.text(list.directory().toString()));
            }
            return list.sample(options.limit());
        }
        Path repository = new LocalRepository(System.getProperties(), System.getenv()).directory();
        JarList list = Files.exists(repository) ? jarsIn(repository, terminal) : JarList.empty(repository);
        return list.sample(options.limit()).fillUp(JdkPackages.list(), options.limit());
    }

    private static JarList jarsIn(Path directory, Terminal terminal) throws AuditFailure, InterruptedException {
        String name = Printable.text(directory.toString());
        if (!Files.exists(directory)) {
            throw new AuditFailure("there is no directory " + name);
        }
        if (!Files.isDirectory(directory)) {
            throw new AuditFailure(name + " is not a directory");
        }
        terminal.err().printf("Looking for jars in %s%n", name);
        try {
            return JarWalker.walk(directory);
        } catch (IOException e) {
            throw new AuditFailure("cannot read " + name + ": " + Printable.reason(e));
        }
    }
}
