// Finding 30: node redlock-pause.js PORT, on a redis-server. A client is paused for longer than its lock lives, between
// its request and the answer. redlock 5 returns the lock; redlock 4 throws.
const Redis = require("ioredis");
const Module = require("redlock");
const Redlock = Module.default ?? Module;

async function main() {
  const redis = new Redis(+process.argv[2], "127.0.0.1");
  const redlock = new Redlock([redis], { retryCount: 0 });
  await redlock.acquire(["warm"], 1000); // so that the server knows the script
  const answer = redlock.acquire(["lock"], 1000);
  for (const end = Date.now() + 1500; Date.now() < end; ); // as a garbage collection does
  const lock = await answer.catch((e) => console.log(`no lock: ${e.message}`));
  if (lock) console.log(`a lock that ended ${Date.now() - lock.expiration} ms ago; its key is ${await redis.get("lock")}`);
  process.exit();
}

main();
