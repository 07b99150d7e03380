// Many seeds: a thousand runs, counted as they come, in a worker of their own; and the search for a seed that breaks a promise,
// with the shrinking of what it finds.

import { $, make } from "./dom.js";

// A Search is one thing that goes on until it is done or stopped.
let going = null;

// start begins something, and ends what went on before. work(go) looks at go.on after each chunk.
async function start(engine, work) {
  stop();
  const go = { on: true };
  going = go;
  $("stop").disabled = false;
  $("many").setAttribute("aria-busy", "true");
  try {
    await work(go, await second(engine));
  } catch (err) {
    say(err.message);
  }
  if (going === go) { stop(); }
}

let other = null;
async function second(engine) {
  await engine.ready;
  other ||= engine.another();
  return other;
}

// stop ends what goes on, after the chunk that is being run.
export function stop() {
  if (going) { going.on = false; }
  going = null;
  $("stop").disabled = true;
  $("many").removeAttribute("aria-busy");
}

// clear forgets what was counted: it was of another setup.
export function clear() {
  stop();
  $("counts").replaceChildren();
  say("");
}

function say(text) { $("manysaid").textContent = text; }

// paced returns how many runs the next chunk should have, so that one takes about a tenth of a second.
function paced(size, took, most) { return Math.max(1, Math.min(most, Math.round(size * Math.min(4, 100 / Math.max(took, 5))))); }

const percent = (share) => (100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0) + " %";

// count makes many runs of a setup, and shows how many broke each promise. open(seed) opens one of those that failed.
export function count(engine, setup, total, open) {
  return start(engine, async (go, worker) => {
    let answer = null, done = 0, size = 10;
    while (go.on && done < total) {
      const runs = Math.min(size, total - done), from = performance.now();
      answer = await worker.ask("many", { setup, first: 1 + done, runs, counts: answer });
      done += runs;
      size = paced(runs, performance.now() - from, 200);
      if (going !== go) { return; }
      $("counts").replaceChildren(table(answer, open));
      say(`${done.toLocaleString("en")} of ${total.toLocaleString("en")} runs` + (done < total ? " …" : "."));
    }
    if (!go.on) { say(`Stopped after ${done.toLocaleString("en")} runs.`); }
  });
}

function table(answer, open) {
  const rows = answer.counts.map((c) => make("tr", {}, make("th", { scope: "row" }, c.name), make("td", { class: "n" + (c.violated ? " violated" : "") }, String(c.violated)),
    make("td", { class: "n" }, percent(c.violated / Math.max(c.runs, 1))), make("td", { class: "n soft", title: c.claim }, `${percent(c.low)} to ${percent(c.high)}`), make("td", {}, bar(c))));
  const seeds = (answer.failing_seeds).slice(0, 12).map((seed) => make("button", { type: "button", click: () => open(seed) }, "seed " + seed));
  return make("div", { class: "tablewrap" }, make("table", {}, make("thead", {}, make("tr", {}, ["promise", "broken", "share", "95 % interval", ""].map((h) => make("th", { scope: "col" }, h)))),
    make("tbody", {}, rows)), seeds.length ? make("p", { class: "tools" }, "Not as expected: ", seeds) : null);
}

// bar draws a share with its interval.
function bar(c) {
  const b = make("div", { class: "share", "aria-hidden": "true" }, make("i"), make("b"));
  b.firstChild.style.cssText = `left:${100 * c.low}%;width:${Math.max(100 * (c.high - c.low), 0.5)}%`;
  b.lastChild.style.left = `${100 * c.violated / Math.max(c.runs, 1)}%`;
  return b;
}

// fuzz tries seed after seed until one breaks a promise, shrinks that, and hands over what is left: open(setup).
export function fuzz(engine, setup, property, open) {
  return start(engine, async (go, worker) => {
    let tried = 0, size = 10, found = null;
    while (go.on && !found) {
      const from = performance.now(), answer = await worker.ask("fuzz", { setup, property, first: 1 + tried, runs: size });
      found = answer.found;
      tried += found ? found.seed - tried : size;
      size = paced(size, performance.now() - from, 500);
      if (going === go) { say(found ? `Seed ${found.seed} breaks ${found.property}.` : `${tried.toLocaleString("en")} seeds, and none has broken a promise …`); }
    }
    if (!found) { say(`Stopped after ${tried.toLocaleString("en")} seeds; none broke a promise.`); return; }
    await shrink(go, worker, found, open);
  });
}

async function shrink(go, worker, found, open) {
  const steps = make("ol", { class: "steps" }), button = make("button", { type: "button", click: () => open(least) }, "Open this run");
  let least = found.setup, runs = 0, at = null;
  $("counts").replaceChildren(make("p", {}, make("strong", { class: "violated" }, found.property + " is violated"), ` with seed ${found.seed}. `, found.story), steps, make("p", { class: "tools" }, button));
  for (let done = false; go.on && !done;) {
    const answer = await worker.ask("shrink", { setup: least, property: found.property, tries: 20, at, runs });
    ({ setup: least, done, at, runs } = answer);
    if (going !== go) { return; }
    steps.append(...answer.said.map((text) => make("li", {}, text)));
    say(`Seed ${found.seed} breaks ${found.property}; ${done ? "shrunk" : "shrinking"} in ${runs.toLocaleString("en")} runs${done ? "." : " …"}`);
  }
}
