// What the page shows of the simulator's answers, as elements.

import { duration, make, picture, popup, seconds, table } from "./dom.js";
import first from "./first.js";

// promise has each promise by its name: what people call it, what it asks, and both answers.
export const promise = Object.fromEntries(first.about.promises.map((p) => [p.name, p]));
const low = (text) => text[0].toLowerCase() + text.slice(1);

// verdict says in words how a run ended: first whether an update was lost. was are the verdicts before the reader's changes.
export function verdict(run, was) {
  const { says, why, also } = run.outcome;
  return [make("p", {}, make("strong", { class: run.outcome.class }, says), make("span", { class: "why" }, " " + why)),
    make("p", { class: "soft" }, was ? changed(run, was) : also)];
}

// changed tells a change as one, for the worst promise whose verdict differs.
function changed(run, was) {
  const before = (name) => was.promises.find((p) => p.name === name)?.verdict;
  const now = (name) => run.promises.find((p) => p.name === name).verdict;
  const broke = run.broken.find((name) => before(name) === "holds");
  const mended = was.broken.find((name) => now(name) === "holds");
  if (mended === "storage") { return "With this change no update is lost. Before, one was."; }
  if (broke) { return `With this change ${low(promise[broke].broken)} Without it: ${low(promise[broke].fixed)}`; }
  if (mended) { return `With this change: ${low(promise[mended].fixed)} Before, ${low(promise[mended].broken)}`; }
  return "This change makes no difference to any promise. " + run.outcome.also;
}

// chips shows each verdict, and opens its question, its answer and its instant. Those unlike another run's have a frame.
export function chips(run, other, look) {
  return make("ul", { class: "chips" }, run.promises.map((p) => {
    const differs = other && other.promises.find((x) => x.name === p.name)?.verdict !== p.verdict;
    const words = promise[p.name], says = make("span", { class: p.verdict }, p.verdict);
    const answer = { violated: words.broken + " ", holds: words.fixed + " ", unknown: "The run doesn't show it. " }[p.verdict];
    return make("li", { class: differs && "differs" }, popup([words.plain + " ", says], "chip",
      make("h3", {}, words.plain), make("p", {}, words.asks),
      make("p", {}, make("strong", { class: p.verdict }, answer), p.story,
        p.verdict === "violated" && p.expected === "violated" ? " This is what the scenario is meant to show." : ""),
      p.from === null || !look ? null : make("button", { type: "button", click: (e) => {
        e.target.closest("[popover]").hidePopover();
        look(p.from);
      } }, `Show ${(p.from / 1e9).toFixed(3)} s`),
      make("p", {}, make("small", { class: "soft" }, `In files: ${p.name}`))));
  }));
}

// stories says how each promise came to be broken, the worst first.
export const stories = (run) => run.broken.map((name) => make("p", {},
  make("strong", { class: "violated" }, promise[name].broken), " " + run.promises.find((p) => p.name === name).story));

// events lists what happened; look(t) is told which the reader chooses.
export const events = (run, look) => run.events.map((e) => make("li", { "data-at": e.t, click: () => look(e.t) },
  make("time", {}, seconds(e.t)),
  make("span", {}, (e.text.startsWith(e.host) ? "" : e.host + ": ") + e.text + (e.over ? " (ends)" : ""))));

// beside shows a run as one of a pair: other is the one that it is compared with, was the one that was changed to it; or null.
export function beside(title, run, other, was) {
  const wide = { class: "wide", tabindex: 0, role: "region", "aria-label": "Timeline, can be scrolled: " + title };
  return make("article", {}, make("h3", {}, title), run.problems.length
    ? make("p", { class: "violated" }, "This can't be run: " + run.problems[0].message)
    : [make("div", {}, verdict(run, was)), chips(run, other), make("div", wide, picture(run.timeline))]);
}

// state shows what everybody has, believes and sees at an instant.
export function state(s) {
  const clock = (x) => x.clock + (x.offset ? ` (${x.offset > 0 ? "+" : "−"}${duration(Math.abs(x.offset))})` : "");
  const host = (x) => x.name + (x.trouble ? ` (${x.trouble})` : "");
  const key = (k) => `${k.key} of ${k.owner || k.value}` + (k.left === null ? "" : `, ${duration(k.left)} left`);
  const belief = (c) => (c.believes ? c.believes + (c.valid ? "" : ", but its validity has passed") : "–");
  return [
    table("What clients believe", ["client", "believes", "does", "its clock"],
      s.clients.map((c) => [host(c), belief(c), c.doing, clock(c)])),
    table("What nodes store", ["node", "stores", "its clock"],
      s.nodes.map((n) => [host(n), n.keys.map(key).join("; ") || "–", clock(n)])),
    table("What the storage has", ["storage", "version", "written by"],
      s.storage.map((x) => [x.name, String(x.version), x.writer || "–"])),
    make("p", {}, s.faults.length ? "Faults: " + s.faults.join("; ") + "." : "No fault is in force."),
  ];
}

// kinds lists the kinds of faults, as a schedule writes them.
export const kinds = (all) => all.map((f) => make("div", {}, make("dt", {}, f.label),
  make("dd", {}, make("p", {}, make("code", {}, f.form)), make("p", {}, f.about))));
