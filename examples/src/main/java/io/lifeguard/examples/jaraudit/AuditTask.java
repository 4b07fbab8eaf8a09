package io.lifeguard.examples.jaraudit;

/** The task that audits one jar and records the report. Runs once. */
final class AuditTask implements Runnable {

    private final int index;
    private final Jar jar;
    private final JarAuditor auditor;
    private final ResultSheet results;

    AuditTask(int index, Jar jar, JarAuditor auditor, ResultSheet results) {
        this.index = index;
        this.jar = jar;
        this.auditor = auditor;
        this.results = results;
    }

    @Override
    public void run() {
        try {
            results.record(index, auditor.audit(jar));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
