import java.io.File;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * Finding 29: c1 holds the lock and c2 queues. The server is down for longer than a session, and comes back. c1 releases,
 * and c2's acquire returns with the node of its old session. The node ends with that session: c3 acquires too.
 */
public class CuratorOldNode {
    static final int SESSION = 4000;
    static final File dir = temporary();
    static int port = 0;

    static File temporary() {
        try {
            return Files.createTempDirectory("zookeeper").toFile();
        } catch (java.io.IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static ServerCnxnFactory start() throws Exception {
        ServerCnxnFactory f = ServerCnxnFactory.createFactory(new InetSocketAddress("127.0.0.1", port), 20);
        f.startup(new ZooKeeperServer(dir, dir, 500));
        port = f.getLocalPort();
        return f;
    }

    /** Tells its node, which Curator shows to subclasses alone. */
    static class Mutex extends InterProcessMutex {
        final CuratorFramework client;

        Mutex() {
            this(CuratorFrameworkFactory.newClient("127.0.0.1:" + port, SESSION, 1000, new RetryForever(20)));
        }

        private Mutex(CuratorFramework client) {
            super(client, "/lock");
            this.client = client;
            client.start();
        }

        String node() {
            return getLockPath();
        }
    }

    public static void main(String[] args) throws Exception {
        ServerCnxnFactory server = start();
        Mutex c1 = new Mutex(), c2 = new Mutex(), c3 = new Mutex();
        c1.acquire();
        CompletableFuture<Void> queued = CompletableFuture.runAsync(() -> {
            try {
                c2.acquire();
                long session = c2.client.getZookeeperClient().getZooKeeper().getSessionId();
                long owner = c2.client.checkExists().forPath(c2.node()).getEphemeralOwner();
                System.out.println("c2 has acquired the lock; its session owns the node: " + (owner == session));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        TimeUnit.MILLISECONDS.sleep(1000);
        server.shutdown();
        TimeUnit.MILLISECONDS.sleep(2 * SESSION);
        server = start();
        c1.client.blockUntilConnected();
        c1.release();
        queued.get();
        boolean second = c3.acquire(3 * SESSION, TimeUnit.MILLISECONDS);
        System.out.println("c3 has acquired the lock, which c2 has not released: " + second);
        System.out.println("c2 believes that it holds the lock: " + c2.isAcquiredInThisProcess());
        Runtime.getRuntime().halt(0);
    }
}
