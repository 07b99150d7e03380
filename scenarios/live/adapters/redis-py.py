"""redis-py's Lock, on the first server."""
import sys

import lockstorm
import redis


class Lock:
    def __init__(self, servers, key, ttl, timeout):
        host, port = servers[0]
        wait = None if "--defaults" in sys.argv else timeout
        self.server, self.key, self.ttl = redis.Redis(host, port, socket_timeout=wait), key, ttl

    def acquire(self):
        self.lock = self.server.lock(self.key, timeout=self.ttl, thread_local=False)
        return self.lock.acquire(blocking=False) and self.lock.local.token.decode()

    def extend(self):
        self.lock.reacquire()

    def release(self):
        self.lock.release()


lockstorm.serve(Lock)
