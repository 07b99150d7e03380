import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryForever;

/**
 * Curator's InterProcessMutex on ZooKeeper. As Curator's documentation asks, the lock counts as lost when the connection is
 * SUSPENDED; with the argument "lost", not before it is LOST.
 */
public class CuratorAdapter {
    /** Says under which node the lock is held: Curator tells that to subclasses alone. */
    static class Mutex extends InterProcessMutex {
        Mutex(CuratorFramework client, String path) {
            super(client, path);
        }

        String node() {
            return getLockPath();
        }
    }

    static String token; // of the lock that is held; null for none

    static synchronized void say(String line) {
        System.out.println(line);
    }

    static synchronized void hold(String node) {
        token = node;
    }

    static synchronized void lost(String why) {
        if (token != null) {
            System.err.println(why);
            System.out.println("0 lost token=" + token);
            token = null;
        }
    }

    public static void main(String[] args) throws Exception {
        boolean patient = args.length > 0 && args[0].equals("lost");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        CuratorFramework client = null;
        Mutex mutex = null;
        for (String line; (line = lines.readLine()) != null; ) {
            long begin = System.nanoTime(); // CLOCK_MONOTONIC, on Linux
            String[] words = line.split(" ");
            Map<String, String> value = new HashMap<>();
            for (int i = 2; i < words.length; i++) {
                String[] pair = words[i].split("=", 2);
                value.put(pair[0], pair[1]);
            }
            if (words[1].equals("start")) {
                client = CuratorFrameworkFactory.newClient(value.get("servers"), Integer.parseInt(value.get("ttl")),
                        Integer.parseInt(value.get("timeout")), new RetryForever(20));
                client.getConnectionStateListenable().addListener((c, state) -> {
                    if (state == ConnectionState.LOST || state == ConnectionState.SUSPENDED && !patient) {
                        lost(state.toString());
                    }
                });
                client.start();
                mutex = new Mutex(client, "/" + value.get("key"));
                say("0 ready");
                continue;
            }
            String answer = "no", more = "";
            try {
                switch (words[1]) {
                    case "acquire":
                        mutex.acquire();
                        String node = mutex.node();
                        hold(node.substring(node.lastIndexOf('/') + 1));
                        more = " left=told token=" + token + " fence=" + client.checkExists().forPath(node).getCzxid();
                        answer = "yes";
                        break;
                    case "extend":
                        answer = token == null ? "no" : "yes";
                        break;
                    default:
                        hold(null);
                        mutex.release();
                        answer = "yes";
                }
            } catch (Exception e) {
                System.err.println(words[1] + " " + e);
                more = words[1].equals("acquire") ? " clean=no" : "";
            }
            say(words[0] + " " + answer + " begin=" + begin + " end=" + System.nanoTime() + more);
        }
        System.exit(0); // Curator's threads go on
    }
}
