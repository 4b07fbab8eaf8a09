import io.lifeguard.pool.tools.Lifeguard;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes the sources of the man pages of lifeguard.jar, and its completion for bash and zsh, by picocli. */
public final class ManPages {

    public static void main(String[] folders) throws IOException {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        CommandLine lifeguard = Lifeguard.commandLine(InputStream.nullInputStream(), nowhere, nowhere);
        Path man = Files.createDirectories(Path.of(folders[0]));
        int status = ManPageGenerator.generateManPage(
                man.toFile(), null, new boolean[0], true, lifeguard.getCommandSpec());
        if (status != 0) {
            throw new IOException("no man page was written to " + man + ": status " + status);
        }
        Path completion = Files.createDirectories(Path.of(folders[1]));
        Files.writeString(completion.resolve("lifeguard"), AutoComplete.bash("lifeguard", lifeguard));
    }
}
