// Finding 31: node redlock-retries.js PORT, on a redis-server. Another client has the lock for 1.2 s. redlock acquires it
// then, by its own loop, for 1 s: the key has that time, but redlock 5 counts it from the first try on.
const Redis = require("ioredis");
const Module = require("redlock");
const Redlock = Module.default ?? Module;

async function main() {
  const redis = new Redis(+process.argv[2], "127.0.0.1");
  await redis.set("lock", "another", "PX", 1200);
  const lock = await new Redlock([redis]).acquire(["lock"], 1000);
  const [left, key] = [lock.expiration - Date.now(), await redis.pttl("lock")];
  console.log(`the lock has ${left} ms left, and its key ${key} ms`);
  console.log(await lock.extend(1000).then(() => "extended", (e) => `not extended: ${e.message}`));
  process.exit();
}

main();
