// node-redlock over ioredis, versions 4 and 5, on all servers.
const Redis = require("ioredis");
const Module = require("redlock");
const Redlock = Module.default ?? Module;

let redlock, key, ttl, lock;
const now = () => process.hrtime.bigint(); // CLOCK_MONOTONIC
const left = () => BigInt(lock.expiration - Date.now()) * 1000000n;

function start(value) {
  const wait = process.argv.includes("--defaults") ? {} : { commandTimeout: +value.timeout, connectTimeout: +value.timeout };
  const clients = value.servers.split(",").map((s) => new Redis(s.split(":")[1], s.split(":")[0], wait));
  clients.forEach((c) => c.on("error", (e) => console.error(e.message)));
  redlock = new Redlock(clients, { retryCount: 0 });
  redlock.on("clientError", (e) => console.error(e.message)).on("error", (e) => console.error(e.message));
  [key, ttl] = [value.key, +value.ttl];
}

async function carryOut(verb) {
  if (verb === "acquire") {
    lock = await redlock.acquire([key], ttl);
    return ` token=${lock.value} left=${left()}`;
  } else if (verb === "extend") {
    lock = await lock.extend(ttl);
    return ` left=${left()}`;
  }
  await redlock.release(lock);
  return "";
}

async function answer(line) {
  const begin = now();
  const [number, verb, ...pairs] = line.split(" ");
  if (verb === "start") {
    start(Object.fromEntries(pairs.map((p) => p.split("="))));
    return console.log("0 ready");
  }
  const [is, more] = await carryOut(verb).then((m) => ["yes", m], (e) => (console.error(verb, e.message), ["no", ""]));
  console.log(`${number} ${is} begin=${begin} end=${now()}${more}`);
}

require("readline").createInterface({ input: process.stdin }).on("line", answer).on("close", () => process.exit());
