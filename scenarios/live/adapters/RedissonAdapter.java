import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's RLock, on the first server. It has never been run: see README.md. */
public class RedissonAdapter implements Lockstorm.Lock {
    private final RedissonClient client;
    private final RLock lock;
    private final long ttl;

    RedissonAdapter(Lockstorm.Setting setting) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://" + setting.servers().split(",")[0])
                .setTimeout((int) setting.timeout()).setRetryAttempts(0)
                .setConnectionMinimumIdleSize(1).setSubscriptionConnectionMinimumIdleSize(0);
        config.setLazyInitialization(true); // no server answers before all clients are ready
        client = Redisson.create(config);
        lock = client.getLock(setting.key());
        ttl = setting.ttl();
    }

    public String acquire() throws InterruptedException {
        boolean got = lock.tryLock(0, ttl, TimeUnit.MILLISECONDS);
        return got ? client.getId() + ":" + Thread.currentThread().getId() : null;
    }

    /** Enters once more, which sets the TTL again: where the caller gives a lease, no watchdog does. */
    public void extend() throws InterruptedException {
        if (!lock.isHeldByCurrentThread() || !lock.tryLock(0, ttl, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("lost");
        }
    }

    public void release() {
        while (lock.isHeldByCurrentThread()) {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Lockstorm.serve(RedissonAdapter::new);
    }
}
