"""pottery's Redlock, on all servers."""
import sys
import time

import pottery
import redis


def now():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


for line in sys.stdin:
    begin = now()
    number, verb, *pairs = line.split()
    value = dict(p.split("=", 1) for p in pairs)
    if verb == "start":
        wait = None if "--defaults" in sys.argv else int(value["timeout"]) / 1000
        masters = {redis.Redis(*s.split(":"), socket_timeout=wait) for s in value["servers"].split(",")}
        key, ttl = value["key"], int(value["ttl"])
        print(f"0 ready key=redlock:{key}", flush=True)
        continue
    answer, more = "no", ""
    try:
        if verb == "acquire":
            lock = pottery.Redlock(key=key, masters=masters, auto_release_time=ttl / 1000)
            if lock.acquire(blocking=False):
                answer, more = "yes", f" token={lock._uuid}"
        elif verb == "extend":
            lock.extend()
            answer = "yes"
        else:
            lock.release()
            answer = "yes"
    except (redis.RedisError, pottery.PrimitiveError) as e:
        print(verb, repr(e), file=sys.stderr)
    if answer == "yes" and verb != "release":
        drift = ttl * 10000 + 2000000  # as it computes it
        more += f" left={ttl * 1000000 - drift - (now() - begin)}"
    print(f"{number} {answer} begin={begin} end={now()}{more}", flush=True)
