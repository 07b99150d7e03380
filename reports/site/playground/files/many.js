// Many seeds: a thousand runs, counted as they come, in a worker of their own; and the search for a seed that breaks a promise,
// with the shrinking of what it finds.

import { $, make, table } from "./dom.js";
import { promise } from "./views.js";

let going = null; // what goes on, until it is done or stopped
let other = null; // the worker in which it does

// start begins something, and ends what went on before. work(go) looks at go.on after each chunk.
async function start(engine, work) {
  stop();
  const go = { on: true };
  going = go;
  $("stop").disabled = false;
  $("many").setAttribute("aria-busy", "true");
  try {
    await engine.ready;
    other ||= engine.another();
    await work(go, other);
  } catch (err) {
    say(err.message);
  }
  if (going === go) { stop(); }
}

// stop ends what goes on, after the chunk that is being run.
export function stop() {
  if (going) {
    going.on = false;
    $("manysaid").textContent = $("manysaid").textContent.replace(" …", ": stopped.");
  }
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
const grouped = (n) => n.toLocaleString("en");
const percent = (share) => (100 * share).toFixed(share > 0 && share < 0.1 || share > 0.9 && share < 1 ? 1 : 0) + "%";

// paced returns how many runs the next chunk should have, so that one takes about a tenth of a second.
function paced(size, took, most) { return Math.max(1, Math.min(most, Math.round(size * Math.min(4, 100 / Math.max(took, 5))))); }

// count makes many runs of a setup, and shows how many broke each promise. open(seed) opens one of those that failed.
export function count(engine, setup, total, open) {
  return start(engine, async (go, worker) => {
    let answer = null, done = 0, size = 4;
    while (go.on && done < total) {
      const runs = Math.min(size, total - done), from = performance.now();
      answer = await worker.ask("many", { setup, first: 1 + done, runs, counts: answer });
      done += runs;
      size = paced(runs, performance.now() - from, 200);
      if (going !== go) { return; }
      $("counts").replaceChildren(...counts(answer, open));
      say(`${grouped(done)} of ${grouped(total)} runs` + (done < total ? " …" : "."));
    }
  });
}

function counts(answer, open) {
  const number = (text, also = "", title = undefined) => make("td", { class: "n" + also, title }, text);
  const rows = answer.counts.map((c) => [promise[c.name].plain, number(grouped(c.violated), c.violated ? " violated" : ""),
    number(percent(c.violated / c.runs)), number(`${percent(c.low)} to ${percent(c.high)}`, " soft", c.claim), bar(c)]);
  const seeds = answer.failing_seeds.slice(0, 12)
    .map((seed) => make("button", { type: "button", click: () => open(seed) }, "seed " + seed));
  return [table("", ["promise", "broken", "share", "95% interval", ""], rows),
    ...(seeds.length ? [make("p", { class: "tools" }, "Unexpected: ", seeds)] : [])];
}

// bar draws a share with its interval.
function bar(c) {
  const b = make("div", { class: "share", "aria-hidden": "true" }, make("i"), make("b", { class: c.violated && "violated" }));
  b.firstChild.style.cssText = `left:${100 * c.low}%;width:${Math.max(100 * (c.high - c.low), 0.5)}%`;
  b.lastChild.style.left = `${100 * c.violated / c.runs}%`;
  return make("td", {}, b);
}

// fuzz tries seed after seed until one breaks a promise, shrinks that, and hands over what is left: open(setup).
export function fuzz(engine, setup, property, open) {
  return start(engine, async (go, worker) => {
    let tried = 0, size = 4, found = null;
    while (go.on && !found) {
      const from = performance.now(), answer = await worker.ask("fuzz", { setup, property, first: 1 + tried, runs: size });
      found = answer.found;
      tried += found ? found.seed - tried : size;
      size = paced(size, performance.now() - from, 500);
      if (going !== go) { return; }
      say(found ? `Seed ${found.seed}: ${promise[found.property].broken}`
        : `${grouped(tried)} seeds, and none has broken a promise …`);
    }
    if (found && go.on) { await shrink(go, worker, found, open); }
  });
}

async function shrink(go, worker, found, open) {
  let least = found.setup, runs = 0, at = null;
  const steps = make("ol", { class: "steps" });
  $("counts").replaceChildren(
    make("p", {}, make("strong", { class: "violated" }, promise[found.property].broken),
      ` With seed ${found.seed}: ${found.story}`), steps,
    make("p", { class: "tools" }, make("button", { type: "button", click: () => open(least) }, "Open this run")));
  for (let done = false; go.on && !done;) {
    const answer = await worker.ask("shrink", { setup: least, property: found.property, tries: 20, at, runs });
    ({ setup: least, done, at, runs } = answer);
    if (going !== go) { return; }
    steps.append(...answer.said.map((text) => make("li", {}, text)));
    const how = done ? `It was shrunk in ${grouped(runs)} runs.` : `Shrinking, ${grouped(runs)} runs …`;
    say(`Seed ${found.seed}: ${promise[found.property].broken} ${how}`);
  }
}
