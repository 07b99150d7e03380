import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's RLock, on the first server. It has never been run: see README.md. */
public class RedissonAdapter {
    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        RedissonClient client = null;
        RLock lock = null;
        long ttl = 0;
        for (String line; (line = lines.readLine()) != null; ) {
            long begin = System.nanoTime(); // CLOCK_MONOTONIC, on Linux
            String[] words = line.split(" ");
            Map<String, String> value = new HashMap<>();
            for (int i = 2; i < words.length; i++) {
                String[] pair = words[i].split("=", 2);
                value.put(pair[0], pair[1]);
            }
            if (words[1].equals("start")) {
                Config config = new Config();
                config.useSingleServer().setAddress("redis://" + value.get("servers").split(",")[0])
                        .setTimeout(Integer.parseInt(value.get("timeout"))).setRetryAttempts(0)
                        .setConnectionMinimumIdleSize(1).setSubscriptionConnectionMinimumIdleSize(0);
                config.setLazyInitialization(true); // no server answers before all clients are ready
                client = Redisson.create(config);
                lock = client.getLock(value.get("key"));
                ttl = Long.parseLong(value.get("ttl"));
                System.out.println("0 ready");
                continue;
            }
            String answer = "no", more = "";
            try {
                switch (words[1]) {
                    case "acquire":
                        if (lock.tryLock(0, ttl, TimeUnit.MILLISECONDS)) {
                            answer = "yes";
                            more = " token=" + client.getId() + ":" + Thread.currentThread().getId();
                        }
                        break;
                    case "extend": // by entering once more, which sets the TTL anew: with a lease of one's own no watchdog does
                        if (lock.isHeldByCurrentThread() && lock.tryLock(0, ttl, TimeUnit.MILLISECONDS)) {
                            answer = "yes";
                        }
                        break;
                    default:
                        while (lock.isHeldByCurrentThread()) {
                            lock.unlock();
                        }
                        answer = "yes";
                }
            } catch (RuntimeException e) {
                System.err.println(words[1] + " " + e);
            }
            if (answer.equals("yes") && !words[1].equals("release")) {
                more += " left=" + (ttl * 1000000 - (System.nanoTime() - begin));
            }
            System.out.println(words[0] + " " + answer + " begin=" + begin + " end=" + System.nanoTime() + more);
        }
        client.shutdown();
    }
}
