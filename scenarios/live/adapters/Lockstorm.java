import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;

/** The shim of adapters in Java. README.md describes it. */
public final class Lockstorm {
    /** What a lock is made of. Servers are host:port, with commas between; times are in milliseconds. */
    public record Setting(String servers, String key, long ttl, long timeout) {}

    /** A lock: acquire returns the key's value on the servers, or null. An exception means that a call failed. */
    public interface Lock {
        String acquire() throws Exception;

        void extend() throws Exception;

        void release() throws Exception;

        /** How long the lock is valid, in nanoseconds, or null: the TTL from the question on. */
        default Long left() {
            return null;
        }

        /** Words of the protocol in place of left, such as left=told. */
        default String told() {
            return null;
        }

        /** Words of the protocol for an acquire that throws an exception, such as clean=no. */
        default String failed() {
            return "";
        }
    }

    /** Makes a lock. */
    public interface Maker {
        Lock make(Setting setting) throws Exception;
    }

    /** Says a line of the protocol, such as 0 lost token=…; from any thread. */
    public static synchronized void say(String line) {
        System.out.println(line);
    }

    /** Answers questions until standard input ends. */
    public static void serve(Maker maker) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        Lock lock = null;
        long ttl = 0;
        for (String line; (line = lines.readLine()) != null; ) {
            long begin = System.nanoTime(); // CLOCK_MONOTONIC, on Linux
            String[] words = line.split(" ");
            if (words[1].equals("start")) {
                Map<String, String> value = new HashMap<>();
                for (int i = 2; i < words.length; i++) {
                    String[] pair = words[i].split("=", 2);
                    value.put(pair[0], pair[1]);
                }
                ttl = Long.parseLong(value.get("ttl"));
                long timeout = Long.parseLong(value.get("timeout"));
                lock = maker.make(new Setting(value.get("servers"), value.get("key"), ttl, timeout));
                say("0 ready");
                continue;
            }
            String answer = "yes", more = "";
            try {
                switch (words[1]) {
                    case "acquire" -> {
                        String token = lock.acquire();
                        answer = token == null ? "no" : "yes";
                        more = token == null ? "" : " token=" + token;
                    }
                    case "extend" -> lock.extend();
                    default -> lock.release();
                }
            } catch (Exception e) {
                System.err.println(words[1] + " " + e);
                answer = "no";
                more = words[1].equals("acquire") ? " " + lock.failed() : "";
            }
            long end = System.nanoTime();
            if (answer.equals("yes") && !words[1].equals("release")) {
                long left = lock.left() == null ? ttl * 1000000 - (end - begin) : lock.left();
                more += " " + (lock.told() == null ? "left=" + left : lock.told());
            }
            say((words[0] + " " + answer + " begin=" + begin + " end=" + end + more).trim());
        }
        System.exit(0); // a library's threads may still run
    }
}
