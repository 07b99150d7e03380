// Many seeds, in a second worker: a thousand runs are counted, or a seed that breaks a promise is found and shrunk.

import { $, make, table } from "./dom.js";
import { promise } from "./views.js";

let going = null; // the job that runs, until it ends or is stopped
let other = null; // its worker

// start begins a job, and stops the one before. work(on, worker) asks on() after each chunk whether it may continue.
async function start(engine, work) {
  stop();
  const job = {};
  going = job;
  $("stop").disabled = false;
  $("many").setAttribute("aria-busy", "true");
  try {
    await engine.ready;
    other ||= engine.another();
    await work(() => going === job, other);
  } catch (err) {
    say(err.message);
  }
  if (going === job) { stop(); }
}

// stop ends the job after its present chunk.
export function stop() {
  if (going) { say($("manysaid").textContent.replace(" …", ": stopped.")); }
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

// chunks asks for chunks of runs, each of about a tenth of a second, until told(answer, runs so far) is true or all are done.
async function chunks(on, all, most, ask, told) {
  for (let done = 0, size = 4; done < all;) {
    const runs = Math.min(size, all - done), began = performance.now(), answer = await ask(1 + done, runs);
    const took = Math.max(performance.now() - began, 5);
    done += runs;
    size = Math.max(1, Math.min(most, Math.round(runs * Math.min(4, 100 / took))));
    if (!on() || told(answer, done)) { return; }
  }
}

// count makes many runs of a setup, and shows how many broke each promise. open(seed) opens one of those that failed.
export function count(engine, setup, total, open) {
  let sum = null;
  return start(engine, (on, worker) => chunks(on, total, 200, async (first, runs) => {
    sum = await worker.ask("many", { setup, first, runs, counts: sum });
    return sum;
  }, (answer, done) => {
    $("counts").replaceChildren(...counts(answer, open));
    say(`${grouped(done)} of ${grouped(total)} runs` + (done < total ? " …" : "."));
  }));
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

// fuzz tries seeds until one breaks a promise, and shrinks that run. open(setup) opens the result.
export function fuzz(engine, setup, property, open) {
  return start(engine, async (on, worker) => {
    let found = null;
    await chunks(on, Infinity, 500, (first, runs) => worker.ask("fuzz", { setup, property, first, runs }), (answer, tried) => {
      found = answer.found;
      say(found ? `Seed ${found.seed}: ${promise[found.property].broken}`
        : `${grouped(tried)} seeds, and none has broken a promise …`);
      return found;
    });
    if (found) { await shrink(on, worker, found, open); }
  });
}

async function shrink(on, worker, found, open) {
  let least = found.setup, runs = 0, at = null;
  const steps = make("ol", { class: "steps" });
  $("counts").replaceChildren(
    make("p", {}, make("strong", { class: "violated" }, promise[found.property].broken),
      ` With seed ${found.seed}: ${found.story}`), steps,
    make("p", { class: "tools" }, make("button", { type: "button", click: () => open(least) }, "Open this run")));
  for (let done = false; !done;) {
    const answer = await worker.ask("shrink", { setup: least, property: found.property, tries: 20, at, runs });
    ({ setup: least, done, at, runs } = answer);
    if (!on()) { return; }
    steps.append(...answer.said.map((text) => make("li", {}, text)));
    const how = done ? `It was shrunk in ${grouped(runs)} runs.` : `Shrinking, ${grouped(runs)} runs …`;
    say(`Seed ${found.seed}: ${promise[found.property].broken} ${how}`);
  }
}
