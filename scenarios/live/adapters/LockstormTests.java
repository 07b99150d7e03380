import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;

/**
 * Tests for JUnit 5: each scenario is a test of your lock on real servers. README.md describes it.
 *
 * <pre>@TestFactory Stream&lt;DynamicTest&gt; lock() {
 *     return LockstormTests.of("java -cp classes MyLock", List.of("distlock/blind-delete"), "--set", "lock.kind=single");
 * }</pre>
 */
public final class LockstormTests {
    private static final String PROGRAM = System.getProperty("lockstorm", "lockstorm-full");

    /** Returns a test of each scenario. It fails if the lock breaks a promise that Lockstorm's own lock keeps there. */
    public static Stream<DynamicTest> of(String adapter, List<String> scenarios, String... args) {
        return scenarios.stream().map(s -> DynamicTest.dynamicTest(s, () -> run(s, adapter, args)));
    }

    private static void run(String scenario, String adapter, String[] args) throws Exception {
        String json = live(args, "--verdicts", scenario, "--adapter", "lock=" + adapter, "--format", "json");
        String[] rows = json.split("\"scenario\":"); // before the rows, our own lock, the adapter
        Assertions.assertEquals(3, rows.length, json);
        List<String> kept = words(rows[2], "broken");
        Assumptions.assumeTrue(!rows[2].contains("\"refused\": \""), rows[2]);
        kept.removeAll(words(rows[1], "broken"));
        kept.removeAll(words(rows[1], "simulated"));
        if (!kept.isEmpty()) {
            String why = scenario + ": broken, and kept by Lockstorm's own lock: " + String.join(", ", kept);
            AssertionError red = new AssertionError(why + "\n\n" + live(args, scenario, "--adapter", adapter));
            red.setStackTrace(new StackTraceElement[0]); // it is this file's
            throw red;
        }
        List<String> unknown = words(rows[2], "unknown");
        unknown.addAll(words(rows[2], "missing"));
        Assumptions.assumeTrue(unknown.isEmpty(), "not known on this machine: " + unknown);
    }

    /** The words in quotation marks of a field of a row, which is a list or an object of counts. */
    private static List<String> words(String row, String field) {
        List<String> all = new ArrayList<>();
        Matcher at = Pattern.compile("\"" + field + "\":\\s*[\\[{]([^\\]}]*)[\\]}]").matcher(row);
        Matcher word = Pattern.compile("\"([^\"]+)\"").matcher(at.find() ? at.group(1) : "");
        while (word.find()) {
            all.add(word.group(1));
        }
        return all;
    }

    private static String live(String[] more, String... args) throws Exception {
        List<String> words = new ArrayList<>(List.of(PROGRAM, "live", "--no-store"));
        words.addAll(List.of(args));
        words.addAll(List.of(more));
        File errors = File.createTempFile("lockstorm", ".txt");
        Process p = new ProcessBuilder(words).redirectError(errors).start();
        String out = new String(p.getInputStream().readAllBytes());
        p.waitFor();
        String said = Files.readString(errors.toPath());
        errors.delete();
        return out.isBlank() ? said : out;
    }
}
