// A helper for node:test: each scenario is a test of your lock on real servers. README.md describes it.
//
//   const { testLock } = require("./lockstorm-test.js");
//   testLock("node mylock.js", ["distlock/blind-delete"], ["--set", "lock.kind=single"]);
"use strict";
const test = require("node:test");
const { spawn } = require("node:child_process");

const program = process.env.LOCKSTORM ?? "lockstorm-full";

function live(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ["live", ...args, "--no-store"]);
    let out = "", err = "";
    child.stdout.on("data", (d) => (out += d));
    child.stderr.on("data", (d) => (err += d));
    child.on("error", reject).on("close", () => resolve({ out, err }));
  });
}

// testLock makes a test of each scenario. It fails if the lock breaks a promise that Lockstorm's own lock keeps there, live
// and simulated, and shows the story of a run.
function testLock(adapter, scenarios, args = []) {
  for (const scenario of scenarios) {
    test(scenario, async (t) => {
      const { out, err } = await live(["--verdicts", scenario, "--adapter", `lock=${adapter}`, "--format", "json", ...args]);
      const rows = out.startsWith("{") ? JSON.parse(out).rows : [];
      if (rows.length !== 2) throw failure(err);
      const [own, lock] = rows;
      if (!lock.runs) return t.skip(lock.refused);
      const kept = Object.keys(lock.broken ?? {}).filter((p) => !(p in (own.broken ?? {})) && !(own.simulated ?? []).includes(p));
      if (kept.length) {
        const story = await live([scenario, "--adapter", adapter, ...args]);
        throw failure(`${scenario}: broken, and kept by Lockstorm's own lock: ${kept.sort().join(", ")}\n\n${story.out}`);
      }
      const unknown = [...Object.keys(lock.unknown ?? {}), ...Object.keys(lock.missing ?? {})];
      if (unknown.length) t.skip(`not known on this machine: ${unknown.join(", ")}`);
    });
  }
}

// failure is an error whose text is all there is to see: the stack is this file's.
function failure(text) {
  const e = new Error(text);
  e.stack = text;
  return e;
}

module.exports = { testLock };
