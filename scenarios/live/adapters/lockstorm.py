"""The shim of adapters in Python. README.md describes it."""
import sys
import time


def serve(Lock):
    """Answers questions with the Lock that it makes of the scenario's settings: Lock(servers, key, ttl, timeout).

    servers are (host, port), ttl and timeout are in seconds. acquire returns the key's value on the servers, or nothing;
    extend and release return nothing on success. An exception means that it failed. A lock that knows how long it is
    valid has that as left, in seconds; otherwise it is the TTL from the question on. A lock that is kept under another key
    has that as key.
    """
    now = lambda: time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    for line in sys.stdin:
        begin = now()
        number, verb, *pairs = line.split()
        value = dict(p.split("=", 1) for p in pairs)
        if verb == "start":
            ttl = int(value["ttl"]) / 1000
            servers = [(host, int(port)) for host, port in (s.split(":") for s in value["servers"].split(","))]
            lock = Lock(servers, value["key"], ttl, int(value["timeout"]) / 1000)
            print(f"0 ready key={getattr(lock, 'key', value['key'])}", flush=True)
            continue
        answer, more = "yes", ""
        try:
            token = getattr(lock, verb)()
            if verb == "acquire":
                answer, more = ("yes", f" token={token}") if token else ("no", "")
        except Exception as e:
            print(verb, repr(e), file=sys.stderr)
            answer = "no"
        end = now()
        if answer == "yes" and verb != "release":
            left = getattr(lock, "left", None)
            more += f" left={begin + int(ttl * 1e9) - end if left is None else int(left * 1e9)}"
        print(f"{number} {answer} begin={begin} end={end}{more}", flush=True)
