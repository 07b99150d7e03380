"""Finding 32: python3 redis-py-forever.py PORT, on a redis-server. A lock without an end is acquired again, and is gone."""
import sys

import redis

server = redis.Redis("127.0.0.1", int(sys.argv[1]))
lock = server.lock("lock", timeout=0)
print("acquired:", lock.acquire(), "- time to live:", server.pttl("lock"))
print("acquired again:", lock.reacquire(), "- keys:", server.exists("lock"))
