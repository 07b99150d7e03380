"""pottery's Redlock, on all servers."""
import sys
import time

import lockstorm
import pottery
import redis


class Lock:
    def __init__(self, servers, key, ttl, timeout):
        wait = None if "--defaults" in sys.argv else timeout
        self.masters = {redis.Redis(host, port, socket_timeout=wait) for host, port in servers}
        self.name, self.key, self.ttl = key, f"redlock:{key}", ttl

    def valid(self, begin):
        self.left = self.ttl - (self.ttl * 0.01 + 0.002) - (time.monotonic() - begin)  # as it computes its drift

    def acquire(self):
        begin = time.monotonic()
        self.lock = pottery.Redlock(key=self.name, masters=self.masters, auto_release_time=self.ttl)
        if self.lock.acquire(blocking=False):
            self.valid(begin)
            return self.lock._uuid

    def extend(self):
        begin = time.monotonic()
        self.lock.extend()
        self.valid(begin)

    def release(self):
        self.lock.release()


lockstorm.serve(Lock)
