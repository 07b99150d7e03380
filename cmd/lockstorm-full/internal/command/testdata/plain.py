"""A lock on one server, without a library. Its argument is a flaw: "del" releases by a plain DEL, "hang" answers nothing."""
import secrets
import socket
import sys
import time

FLAW = sys.argv[1] if len(sys.argv) > 1 else ""
FREE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end"
now = lambda: time.clock_gettime_ns(time.CLOCK_MONOTONIC)
open_ = None


def ask(*args):
    global open_
    try:
        if open_ is None:
            open_ = socket.create_connection((host, int(port)), timeout).makefile("rwb")
        words = [str(a).encode() for a in args]
        open_.write(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))
        open_.flush()
        line = open_.readline()
        if not line.endswith(b"\n"):
            raise OSError("the connection has ended")
        return line.strip()
    except OSError:
        open_ = None
        raise


for line in sys.stdin:
    begin = now()
    number, verb, *pairs = line.split()
    value = dict(p.split("=", 1) for p in pairs)
    if verb == "start":
        host, port = value["servers"].split(",")[0].split(":")
        timeout, key, ttl = int(value["timeout"]) / 1000, value["key"], int(value["ttl"])
        print("0 ready cannot=extend", flush=True)
        continue
    if FLAW == "hang":
        continue
    answer, more = "no", ""
    try:
        if verb == "acquire":
            token = secrets.token_hex(8)
            if ask("SET", key, token, "NX", "PX", ttl) == b"+OK":
                left = ttl * 1_000_000 - (now() - begin) - ttl * 10_000 - 2_000_000
                answer, more = ("yes", f" token={token} left={left}") if left > 0 else ("no", " why=too-late")
        elif verb == "release":
            ask("DEL", key) if FLAW == "del" else ask("EVAL", FREE, 1, key, value["token"])
            answer = "yes"
    except OSError as e:
        print(verb, repr(e), file=sys.stderr)
    print(f"{number} {answer} begin={begin} end={now()}{more}", flush=True)
