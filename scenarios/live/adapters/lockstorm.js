// The shim of adapters in JavaScript. README.md describes it.
"use strict";

// serve answers questions with the lock that start returns, itself or as a promise, for the scenario's settings:
// {servers, key, ttl, timeout}. Servers are {host, port}; times are in milliseconds. acquire returns the key's value on
// the servers, or nothing; extend and release return nothing on success. An exception means that it failed. A lock that
// knows how long it is valid has left(), in milliseconds; otherwise it is the TTL from the question on.
function serve(start) {
  let lock, ttl;
  const now = () => process.hrtime.bigint(); // CLOCK_MONOTONIC
  const left = (begin, end) => (lock.left ? BigInt(Math.floor(lock.left() * 1e6)) : begin + BigInt(ttl) * 1000000n - end);

  async function answer(line, begin) {
    const [number, verb, ...pairs] = line.split(" ");
    if (verb === "start") {
      const value = Object.fromEntries(pairs.map((p) => p.split("=")));
      const servers = value.servers.split(",").map((s) => ({ host: s.split(":")[0], port: +s.split(":")[1] }));
      ttl = +value.ttl;
      lock = await start({ servers, key: value.key, ttl, timeout: +value.timeout });
      return console.log(`0 ready key=${lock.key ?? value.key}`);
    }
    let is = "yes", more = "";
    try {
      const token = await lock[verb]();
      if (verb === "acquire") [is, more] = token ? ["yes", ` token=${token}`] : ["no", ""];
    } catch (e) {
      console.error(verb, e.message);
      is = "no";
    }
    const end = now();
    if (is === "yes" && verb !== "release") more += ` left=${left(begin, end)}`;
    console.log(`${number} ${is} begin=${begin} end=${end}${more}`);
  }

  let turn = Promise.resolve(); // questions are answered in turn
  const end = () => process.exit();
  const lines = require("readline").createInterface({ input: process.stdin });
  lines.on("line", (line) => { const begin = now(); turn = turn.then(() => answer(line, begin)); });
  lines.on("close", () => { turn.then(end); setTimeout(end, 1000); }); // a call may never return
}

module.exports = { serve };
