"""redis-py's Lock, on the first server."""
import sys
import time

import redis


def now():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


for line in sys.stdin:
    begin = now()
    number, verb, *pairs = line.split()
    value = dict(p.split("=", 1) for p in pairs)
    if verb == "start":
        host, port = value["servers"].split(",")[0].split(":")
        wait = None if "--defaults" in sys.argv else int(value["timeout"]) / 1000
        server = redis.Redis(host, int(port), socket_timeout=wait)
        key, ttl = value["key"], int(value["ttl"])
        print("0 ready", flush=True)
        continue
    answer, more = "no", ""
    try:
        if verb == "acquire":
            lock = server.lock(key, timeout=ttl / 1000, thread_local=False)
            if lock.acquire(blocking=False):
                answer, more = "yes", f" token={lock.local.token.decode()}"
        elif verb == "extend":
            lock.reacquire()
            answer = "yes"
        else:
            lock.release()
            answer = "yes"
    except redis.exceptions.RedisError as e:
        print(verb, repr(e), file=sys.stderr)
    if answer == "yes" and verb != "release":
        more += f" left={ttl * 1000000 - (now() - begin)}"
    print(f"{number} {answer} begin={begin} end={now()}{more}", flush=True)
