// node-redlock over ioredis, versions 4 and 5, on all servers. With the argument --readme it is as its README begins, and
// tries again ten times, 200 ms apart; otherwise an acquire is one try. --defaults leaves out timeouts, as --readme does.
const Redis = require("ioredis");
const Module = require("redlock");
const { serve } = require("./lockstorm.js");
const Redlock = Module.default ?? Module;
const readme = process.argv.includes("--readme");

serve(({ servers, key, ttl, timeout }) => {
  const wait = readme || process.argv.includes("--defaults") ? {} : { commandTimeout: timeout, connectTimeout: timeout };
  const clients = servers.map((s) => new Redis(s.port, s.host, wait));
  clients.forEach((c) => c.on("error", (e) => console.error(e.message)));
  const settings = readme ? { driftFactor: 0.01, retryCount: 10, retryDelay: 200, retryJitter: 200 } : { retryCount: 0 };
  const redlock = new Redlock(clients, settings);
  redlock.on("clientError", (e) => console.error(e.message)).on("error", (e) => console.error(e.message));
  let lock;
  return {
    acquire: async () => (lock = await redlock.acquire([key], ttl)).value,
    extend: async () => { lock = await lock.extend(ttl); },
    release: () => redlock.release(lock),
    left: () => lock.expiration - Date.now(),
  };
});
