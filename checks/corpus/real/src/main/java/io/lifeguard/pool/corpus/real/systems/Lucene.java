package io.lifeguard.pool.corpus.real.systems;

import io.lifeguard.pool.InstrumentedExecutors;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;

/** Lucene with far more threads than CPUs. */
final class Lucene {

    private static final int THREADS = 64;
    private static final int DOCUMENTS = 2_000;
    private static final int WORDS = 20_000;

    private Lucene() {}

    static List<RealSystem> all() {
        int cores = Runtime.getRuntime().availableProcessors();
        return List.of(
                RealSystem.named("lucene-indexing", "cpu-saturated")
                        .about("64 threads index documents of 1,000 words into one index in memory")
                        .may("lock-contention", "high-system-cpu")
                        .at("Library.index")
                        .cure("twice as many threads as CPUs")
                        .forms(stage -> index(stage, THREADS), stage -> index(stage, 2 * cores)),
                RealSystem.named("lucene-searching", "cpu-saturated")
                        .about("64 threads search an index in memory")
                        .may("high-system-cpu")
                        .at("Library.search")
                        .cure("as many threads as CPUs")
                        .forms(stage -> search(stage, THREADS), stage -> search(stage, cores)));
    }

    private static void index(Stage stage, int threads) throws IOException {
        Library library = stage.keep(new Library());
        run(stage, "indexing", threads, library::index);
    }

    private static void search(Stage stage, int threads) throws IOException {
        Library library = stage.keep(new Library());
        library.fill();
        run(stage, "searching", threads, library::search);
    }

    private static void run(Stage stage, String name, int threads, Stage.Step task) {
        ExecutorService pool = stage.keep(InstrumentedExecutors.newFixedThreadPool(name, threads));
        Semaphore places = new Semaphore(THREADS + 8);
        stage.loop("documents", () -> {
            places.acquire();
            pool.execute(() -> {
                try {
                    task.run();
                    stage.countDone();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                } finally {
                    places.release();
                }
            });
        });
    }

    /** A user's index. */
    static final class Library {
        private final IndexWriter writer;
        private volatile IndexSearcher searcher;

        Library() throws IOException {
            writer = new IndexWriter(new ByteBuffersDirectory(), new IndexWriterConfig(new StandardAnalyzer()));
            searcher = new IndexSearcher(DirectoryReader.open(writer));
        }

        /** Replaces an old document, so that the index does not grow without end. */
        void index() throws IOException {
            Document document = new Document();
            String id = Integer.toString(ThreadLocalRandom.current().nextInt(DOCUMENTS));
            document.add(new StringField("id", id, Field.Store.YES));
            document.add(new TextField("text", text(1_000), Field.Store.NO));
            writer.updateDocument(new Term("id", id), document);
        }

        /** Indexes many documents, and makes them visible to searches. */
        void fill() throws IOException {
            for (int i = 0; i < DOCUMENTS; i++) {
                index();
            }
            searcher = new IndexSearcher(DirectoryReader.open(writer));
        }

        void search() throws IOException {
            BooleanQuery.Builder query = new BooleanQuery.Builder();
            for (int i = 0; i < 20; i++) {
                query.add(new TermQuery(new Term("text", word())), BooleanClause.Occur.SHOULD);
            }
            if (searcher.search(query.build(), 10).scoreDocs.length == 0) {
                throw new IOException("nothing found");
            }
        }

        private static String text(int words) {
            return IntStream.range(0, words).mapToObj(i -> word()).collect(Collectors.joining(" "));
        }

        /** Few words are frequent, and most are rare. */
        private static String word() {
            double random = ThreadLocalRandom.current().nextDouble();
            return "w" + (int) (WORDS * random * random * random);
        }
    }
}
