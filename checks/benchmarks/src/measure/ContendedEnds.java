import java.util.Locale;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Simulates the head of the queue with more workers than this machine has processors. Prints tables of throughput.
 *
 * <pre>
 * java checks/benchmarks/src/measure/ContendedEnds.java
 * </pre>
 *
 * The head is one cache line. It goes from core to core in the order of their requests, and each transfer takes the
 * same time. A worker runs a task of random length, reads the head, and claims it by a compare-and-set. At best the
 * line stays until the claim, so that each task costs one transfer. At worst another worker's request is served between
 * the two whenever there is one. Then the claim needs a transfer of its own, fails if the head has moved, and is tried
 * again with what it has read. Processors are between the two: they keep a line for a moment.
 */
public final class ContendedEnds {

    private static final double CLAIM = 10; // nanoseconds of a compare-and-set on a line that is here
    private static final double OWN = 50; // nanoseconds of a worker between two tasks
    private static final double TASKS = 100_000;

    private ContendedEnds() {}

    public static void main(String[] arguments) {
        for (double transfer : new double[] {40, 120}) {
            System.out.printf(
                    Locale.ROOT,
                    "%nA transfer takes %.0f ns. Worst to best, in %% of the throughput with a head that costs"
                            + " nothing:%n%n",
                    transfer);
            System.out.println("| workers | empty tasks | 1 µs | 10 µs | 100 µs |\n|---:|---:|---:|---:|---:|");
            for (int workers : new int[] {2, 8, 16, 32, 64, 128}) {
                StringBuilder row = new StringBuilder("| " + workers + " |");
                for (double task : new double[] {OWN, OWN + 1e3, OWN + 1e4, OWN + 1e5}) {
                    double free = workers / (task + CLAIM) * 1e3;
                    double worst = throughput(workers, task, transfer, false);
                    double best = throughput(workers, task, transfer, true);
                    row.append(String.format(Locale.ROOT, " %.0f–%.0f |", 100 * worst / free, 100 * best / free));
                }
                System.out.println(row);
            }
        }
    }

    /** Tasks per microsecond, which is million tasks per second. */
    private static double throughput(int workers, double task, double transfer, boolean keepsLine) {
        SplittableRandom random = new SplittableRandom(1);
        PriorityQueue<Request> requests = new PriorityQueue<>();
        for (int i = 0; i < workers; i++) {
            requests.add(new Request(task * random.nextDouble(), i, -1));
        }
        long head = 0;
        int holder = -1; // the core that has the line
        double free = 0; // when the line may go on
        while (head < TASKS) {
            Request next = requests.poll();
            double served = next.worker == holder ? next.time : Math.max(next.time, free) + transfer;
            holder = next.worker;
            free = served;
            if (keepsLine || next.seen == head) {
                head++;
                free += CLAIM;
                requests.add(new Request(served + CLAIM - task * Math.log(1 - random.nextDouble()), next.worker, -1));
            } else {
                requests.add(new Request(served + 1, next.worker, head)); // has read the head, or failed to claim it
            }
        }
        return head / free * 1e3;
    }

    /**
     * A worker wants the line.
     *
     * @param seen the head that it has read, and wants to claim; -1 if it wants to read it
     */
    private record Request(double time, int worker, long seen) implements Comparable<Request> {

        @Override
        public int compareTo(Request other) {
            return Double.compare(time, other.time);
        }
    }
}
