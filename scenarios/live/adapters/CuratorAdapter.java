import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryForever;

/**
 * Curator's InterProcessMutex on ZooKeeper. As Curator's documentation asks, the lock counts as lost when the connection
 * is SUSPENDED; with the argument "lost", not before it is LOST.
 */
public class CuratorAdapter implements Lockstorm.Lock {
    /** Says under which node the lock is held: Curator tells that to subclasses alone. */
    static class Mutex extends InterProcessMutex {
        Mutex(CuratorFramework client, String path) {
            super(client, path);
        }

        String node() {
            return getLockPath();
        }
    }

    private final CuratorFramework client;
    private final Mutex mutex;
    private String token; // of the lock that is held; null for none
    private long fence;

    CuratorAdapter(Lockstorm.Setting setting, boolean patient) {
        client = CuratorFrameworkFactory.newClient(setting.servers(), (int) setting.ttl(), (int) setting.timeout(),
                new RetryForever(20));
        client.getConnectionStateListenable().addListener((c, state) -> {
            if (state == ConnectionState.LOST || state == ConnectionState.SUSPENDED && !patient) {
                lost(state.toString());
            }
        });
        client.start();
        mutex = new Mutex(client, "/" + setting.key());
    }

    private synchronized void hold(String node) {
        token = node;
    }

    private synchronized void lost(String why) {
        if (token != null) {
            System.err.println(why);
            Lockstorm.say("0 lost token=" + token);
            token = null;
        }
    }

    public String acquire() throws Exception {
        mutex.acquire();
        String node = mutex.node(), name = node.substring(node.lastIndexOf('/') + 1);
        hold(name);
        fence = client.checkExists().forPath(node).getCzxid();
        return name;
    }

    public synchronized void extend() {
        if (token == null) {
            throw new IllegalStateException("lost");
        }
    }

    public void release() throws Exception {
        hold(null);
        mutex.release();
    }

    public String told() {
        return "left=told fence=" + fence;
    }

    public String failed() {
        return "clean=no";
    }

    public static void main(String[] args) throws Exception {
        Lockstorm.serve(setting -> new CuratorAdapter(setting, args.length > 0 && args[0].equals("lost")));
    }
}
