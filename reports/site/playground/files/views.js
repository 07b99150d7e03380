// What the page shows of the simulator's answers, as elements.

import { duration, make, picture, seconds, table } from "./dom.js";

// broken returns what is violated, the worst first: what an application loses, before what a lock owes. Go does the same.
const worst = ["belief", "fenced", "storage"];
const broken = (run) => run.promises.filter((p) => p.verdict === "violated")
  .sort((a, b) => worst.indexOf(b.name) - worst.indexOf(a.name));

const violated = (p, says) => make("p", {}, make("strong", { class: "violated" }, p.name + " is violated."), " " + says);

// verdict says in words what came of a run.
export function verdict(run) {
  const [p, ...rest] = broken(run), names = (all) => all.map((x) => x.name).join(", ");
  const unknown = run.promises.filter((x) => x.verdict === "unknown");
  const unlike = run.promises.filter((x) => x.verdict !== x.expected);
  const also = [];
  if (rest.length) { also.push(`Also violated: ${names(rest)}.`); }
  if (unknown.length) { also.push(`Not known: ${names(unknown)}.`); }
  also.push(unlike.length ? `Not what the scenario expects: ${names(unlike)}.` : "All as the scenario expects.");
  const kept = make("strong", { class: "holds" }, unknown.length ? "No promise is broken." : "Every promise holds.");
  return [p ? violated(p, p.short + ".") : make("p", {}, kept), make("p", { class: "soft" }, also.join(" "))];
}

// chips shows each verdict; those that differ from another run's are framed.
export function chips(run, other) {
  return make("ul", { class: "chips" }, run.promises.map((p) => {
    const differs = other && other.promises.find((x) => x.name === p.name)?.verdict !== p.verdict;
    const says = make("span", { class: p.verdict }, p.verdict);
    return make("li", { title: p.asks, class: differs && "differs" }, p.name + " ", says);
  }));
}

// stories says how each promise came to be broken.
export const stories = (run) => broken(run).map((p) => violated(p, p.story));

// events lists what happened; look(t) is told which the reader chooses.
export const events = (run, look) => run.events.map((e) => make("li", { "data-at": e.t, click: () => look(e.t) },
  make("time", {}, seconds(e.t)), make("span", {}, (e.host ? e.host + ": " : "") + e.text + (e.over ? " (ends)" : ""))));

// beside shows a run as one of a pair: other is the one that it is compared with, or null. One with problems can't be run.
export function beside(title, run, other) {
  const wide = { class: "wide", tabindex: 0, role: "region", "aria-label": "Timeline, can be scrolled: " + title };
  return make("article", {}, make("h3", {}, title), run.problems.length
    ? make("p", { class: "violated" }, "This can't be run. " + run.problems[0].message)
    : [make("div", {}, verdict(run)), chips(run, other), make("div", wide, picture(run.timeline))]);
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
export const kinds = (all) => all.map((f) => make("div", {}, make("dt", {}, f.name),
  make("dd", {}, make("p", {}, make("code", {}, f.form)), make("p", {}, f.about))));
