package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.evidence.DumpEvidence;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import java.util.Optional;

/** What threads in a dump wait for in line. Stateless. */
final class DumpedLines {

    private DumpedLines() {}

    /** What a thread in line waits for, if that is lent in a limited number. Others wait for a message. */
    static Optional<String> limitedResource(DumpedThread thread) {
        return DumpEvidence.limitedResource(
                thread.stack(), thread.waitsFor().map(DumpedThread.Lock::type).orElse(""));
    }
}
