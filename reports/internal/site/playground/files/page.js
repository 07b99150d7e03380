// The playground: what is run, and what is shown of it. Its state is what a link holds; each change of it is run at once, and
// all that is seen is made anew from the answer.

import { $, copied, duration, make, picture, seconds } from "./dom.js";
import { Engine, newest } from "./engine.js";
import { Timeline, names, scale } from "./timeline.js";
import * as controls from "./controls.js";
import * as link from "./link.js";
import * as many from "./many.js";

import first from "./first.js"; // what the simulator answers for the run that the page begins with

const begin = { scenario: first.scenario, yaml: null, set: {}, schedule: null, seed: 1, beside: first.beside, at: null };
let state = begin;
let shown = { run: first.run, open: first.open }; // the newest answers
let editor = null;
let touched = null; // what the reader changed last: the path of a setting, "schedule", "file"

const timeline = new Timeline($("lanes"), {
  at: (t) => look(t),
  step: (by) => step(by),
  moved: (line, from, to) => move(line, from, to),
});

// A change makes the next state, and runs it. What changes the file or a kind of thing has settings looked up anew.
function change(next, what, settings = true) {
  state = { ...state, ...next };
  touched = what;
  if (settings) { wanted = true; }
  many.clear();
  refresh();
}
let wanted = false; // the settings are to be looked up anew

const refresh = newest(async () => {
  const s = state, ask = wanted;
  wanted = false;
  try {
    if (ask) { shown.open = await engine.ask("open", { setup: link.setup(s) }); }
    const run = await engine.ask("run", { setup: link.setup(s) });
    if (run.problems.length) { failed(run.problems); return; }
    const other = s.beside ? await engine.ask("run", { setup: link.setup(s, s.beside) }).catch((err) => ({ problems: [err] })) : null;
    shown = { ...shown, run, other };
    draw(ask);
  } catch (err) {
    failed([err]);
  }
});

// failed says what can't be run, where the reader made it so. What was drawn last stays, and is faint.
function failed(problems) {
  const [p] = problems, where = p.line ? `Line ${p.line}${p.column ? ", column " + p.column : ""}${p.where === "schedule" ? " of the schedule" : ""}: ` : "";
  if (document.body.classList.contains("linked")) { // nothing has been drawn: what the page begins with is better than nothing
    const s = state;
    state = begin;
    draw(true);
    state = s;
  }
  document.body.classList.add("stale");
  $("problem").textContent = "This can't be run. " + where + p.message + (/[.!]$/.test(p.message) ? "" : ".");
  unmark();
  const at = touched && document.querySelector(`[data-path="${CSS.escape(touched)}"]`);
  if (at) { at.classList.add("wrong"); }
  if (p.where === "schedule") { $("schedule").setAttribute("aria-invalid", true); }
  if (editor) { editor.problems(problems.filter((x) => x.where === "yaml" && x.line)); }
  save();
}

function unmark() {
  for (const e of document.querySelectorAll(".wrong")) { e.classList.remove("wrong"); }
  $("schedule").removeAttribute("aria-invalid");
}

// draw shows the newest answers.
function draw(settings) {
  const { run, open } = shown;
  document.body.classList.remove("stale", "linked");
  $("problem").textContent = "";
  unmark();
  $("name").textContent = state.yaml === null ? state.scenario : "a file of your own";
  $("title").textContent = run.title || "";
  $("verdict").replaceChildren(...verdict(run));
  $("chips").replaceChildren(chips(run));
  if (!moving) { timeline.asked.clear(); }
  timeline.show(run);
  $("broken").disabled = !timeline.violation;
  if (settings) { controls.fill(open.settings, setting); choices(); }
  field($("schedule"), state.schedule ?? (open.drawn ? open.schedule : run.schedule));
  field($("seed"), String(state.seed));
  if (editor) { editor.problems([]); if (touched !== "file") { editor.set(open.yaml); } }
  pair();
  $("stories").replaceChildren(...stories(run));
  $("sequence").replaceChildren(picture(run.sequence));
  $("command").textContent = run.command;
  $("hash").textContent = run.hash;
  $("needs").textContent = run.needs ? `It needs the file ${run.needs}: save it with “The scenario as a file” above.` : "";
  $("left").textContent = run.left;
  report();
  $("events").replaceChildren(...run.events.map((e) => make("li", { "data-at": e.t, click: () => look(e.t) },
    make("time", {}, seconds(e.t)), make("span", {}, e.host ? e.host + ": " : "", e.text, e.over ? " (ends)" : ""))));
  look(state.at ?? (timeline.violation || [(run.events[0] || { t: 0 }).t])[0], state.at === null);
  save();
}

// field sets a field, unless its reader is writing in it.
function field(e, value) { if (e !== document.activeElement) { e.value = value; } }

// broken returns what is violated, the worst first: what an application loses, before what a lock owes. Go does the same.
const worst = ["belief", "fenced", "storage"];
const broken = (run) => run.promises.filter((p) => p.verdict === "violated").sort((a, b) => worst.indexOf(b.name) - worst.indexOf(a.name));

// verdict says in words what came of a run, the worst first.
function verdict(run) {
  const [p, ...rest] = broken(run), open = run.promises.filter((x) => x.verdict === "unknown").map((x) => x.name);
  const unlike = run.promises.filter((x) => x.verdict !== x.expected).map((x) => x.name);
  const also = [rest.length && `Also violated: ${rest.map((x) => x.name).join(", ")}.`, open.length && `Not known: ${open.join(", ")}.`,
    unlike.length ? `Not what the scenario expects: ${unlike.join(", ")}.` : "All as the scenario expects."].filter(Boolean).join(" ");
  const head = p ? [make("strong", { class: "violated" }, p.name + " is violated."), " " + p.short + "."] : [make("strong", { class: "holds" }, "Every promise holds.")];
  return [make("p", {}, head), make("p", { class: "soft" }, also)];
}

function chips(run, other) {
  return make("ul", { class: "chips" }, run.promises.map((p) => {
    const differs = other && (other.promises.find((x) => x.name === p.name) || {}).verdict !== p.verdict;
    return make("li", { title: p.asks, class: differs ? "differs" : "" }, p.name + " ", make("span", { class: p.verdict }, p.verdict));
  }));
}

function stories(run) {
  return broken(run).map((p) => make("p", {}, make("strong", { class: "violated" }, p.name + " is violated."), " " + p.story));
}

// pair shows the run beside the same one with one thing changed, with what differs marked.
function pair() {
  const { run, other } = shown, choice = first.choices.find((b) => b.set === state.beside);
  const one = (title, r, o) => make("article", {}, make("h3", {}, title), r.promises ? [make("div", {}, verdict(r)), chips(r, o),
    make("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Timeline of " + title }, picture(r.timeline))]
    : make("p", { class: "violated" }, "This can't be run. " + r.problems[0].message));
  $("pair").replaceChildren(...(other ? [one("As it is", run, other.promises && other), one("The run that " + (choice ? choice.label : "has " + state.beside), other, run)] : []));
  for (const box of $("pair").querySelectorAll(".wide")) { // where it does not fit, it begins at what is broken
    const band = box.querySelector(".band");
    box.addEventListener("scroll", () => names(box, box.firstChild));
    if (band) { box.scrollLeft = band.getAttribute("x") / scale(box.firstChild) - box.clientWidth / 2; }
  }
}

// choices offers what differs from the run as it is.
function choices() {
  const now = new Map(shown.open.settings.map((x) => [x.path, x.value]));
  const options = first.choices.filter((o) => { const [path, value] = o.set.split("="); return o.set === state.beside || now.has(path) && now.get(path) !== value; });
  if (state.beside && !options.some((o) => o.set === state.beside)) { options.push({ set: state.beside, label: "has " + state.beside }); }
  $("beside").replaceChildren(...[{ set: "", label: "… (nothing beside it)" }, ...options].map((o) => make("option", { value: o.set, selected: o.set === state.beside }, o.label)));
}

// look shows one instant: the cursor, what happened then, and what everybody stores, believes and sees. An instant that the
// page chose is not in the link.
function look(t, own = false) {
  if (!own) { state = { ...state, at: t }; save(); }
  timeline.mark(t);
  const all = [...$("events").children], i = all.findLastIndex((e) => Number(e.dataset.at) <= t);
  all.forEach((e, n) => e.classList.toggle("now", n === i));
  if (all[i]) {
    const box = $("events").parentNode;
    box.scrollTop = all[i].offsetTop - box.offsetTop - box.clientHeight / 2;
  }
  $("read").textContent = `At ${seconds(t)}` + (all[i] ? `: ${all[i].lastChild.textContent}` + (Number(all[i].dataset.at) < t ? " (the last event)" : "") : "");
  instant = Math.max(timeline.from, Math.min(timeline.to, Math.round(t)));
  ask();
}
let instant = 0;

const ask = newest(async () => {
  try {
    table(await engine.ask("state", { setup: link.setup(state), t: instant }));
  } catch (err) {
    $("state").replaceChildren(make("p", { class: "violated" }, err.message));
  }
});

function table(s) {
  const rows = (title, heads, all) => make("div", { class: "tablewrap" }, make("table", {}, make("caption", {}, title), make("thead", {}, make("tr", {}, heads.map((h) => make("th", { scope: "col" }, h)))),
    make("tbody", {}, all.map(([name, ...cells]) => make("tr", {}, make("th", { scope: "row" }, name), cells.map((c) => make("td", {}, c)))))));
  const host = (x) => x.name + (x.trouble ? ` (${x.trouble})` : ""), clock = (x) => x.clock + (x.offset ? ` (${x.offset > 0 ? "+" : "−"}${duration(Math.abs(x.offset))})` : "");
  const key = (k) => `${k.key} of ${k.owner || k.value}` + (k.left === null ? "" : `, ${duration(k.left)} left`);
  $("state").replaceChildren(
    rows("What clients believe", ["client", "believes", "does", "its clock"], s.clients.map((c) => [host(c), c.believes ? c.believes + (c.valid ? "" : ", but its validity has passed") : "–", c.doing, clock(c)])),
    rows("What nodes store", ["node", "stores", "its clock"], s.nodes.map((n) => [host(n), n.keys.map(key).join("; ") || "–", clock(n)])),
    rows("What the storage has", ["storage", "version", "written by"], s.storage.map((x) => [x.name, String(x.version), x.writer || "–"])),
    make("p", {}, s.faults.length ? "Faults: " + s.faults.join("; ") + "." : "No fault is in force."));
}

// report has the whole report written, if it is open.
function report() {
  if ($("report").open) { engine.ask("report", { setup: link.setup(state) }).then((r) => { $("text").textContent = r.text; }, (err) => { $("text").textContent = err.message; }); }
}

// step goes to the next event, or the one before.
function step(by) {
  const times = [...new Set(shown.run.events.map((e) => e.t))], now = timeline.here;
  const t = by > 0 ? times.find((x) => x > now) : times.findLast((x) => x < now);
  if (t !== undefined) { look(t); timeline.sight(t); }
}

// setting is told of a setting that was changed.
function setting(path, value, done) { change({ set: { ...state.set, [path]: value } }, path, done); }

// move asks for the schedule with a fault at another place, and runs that; of many moves in a row only the newest.
let moving = null;
const moves = newest(async () => {
  const m = moving;
  try {
    const { schedule, set } = await engine.ask("move", { setup: link.setup(state), ...m });
    if (moving === m) { moving = null; }
    change({ schedule, set: link.sets(set) }, "schedule");
  } catch (err) {
    failed([err]);
  }
});
function move(line, from, to) {
  moving = { line, from: Math.round(from), to: to === null ? null : Math.round(to) };
  moves();
}

// save keeps the link up to date, a moment after the last change, and says to a screen reader what came of it.
let later = 0;
function save() {
  clearTimeout(later);
  later = setTimeout(async () => {
    history.replaceState(null, "", await link.write(state));
    const text = document.body.classList.contains("stale") ? "" : $("verdict").firstChild.textContent;
    if ($("said").textContent !== text) { $("said").textContent = text; }
  }, 300);
}

function open(setup) {
  change({ scenario: setup.scenario || state.scenario, yaml: setup.yaml || null, set: link.sets(setup.set), schedule: setup.schedule ?? null, seed: setup.seed, at: null }, null);
  timeline.look(null);
  $("name").scrollIntoView();
}

async function follow() {
  try { state = await link.read(location.hash, begin); } catch { failed([new Error("This link is cut short, or has been changed.")]); return; }
  wanted = true;
  await refresh();
}

// Everything is wired, the run that the page begins with is shown at once, and what a link asks for when the simulator is there.
const engine = new Engine((got, whole) => { $("load").textContent = `Loading the simulator: ${(got / 1e6).toFixed(1)}${whole ? " of " + (whole / 1e6).toFixed(1) : ""} MB`; });
controls.catalogue(first.about, (id) => { change({ ...begin, scenario: id, beside: state.beside }, null); timeline.look(null); });
$("kinds").append(...first.about.faults.map((f) => make("div", {}, make("dt", {}, f.name), make("dd", {}, make("p", {}, make("code", {}, f.form)), make("p", {}, f.about)))));
$("property").append(...first.about.promises.map((p) => make("option", {}, p.name)));
const on = (id, event, f) => $(id).addEventListener(event, f);
on("seed", "input", (e) => { if (Number(e.target.value) > 0) { change({ seed: Number(e.target.value) }, null, false); } });
on("reset", "click", () => change({ yaml: null, set: {}, schedule: null, at: null }, null));
on("schedule", "input", (e) => change({ schedule: e.target.value }, "schedule", false));
on("beside", "change", (e) => change({ beside: e.target.value }, null, false));
on("back", "click", () => step(-1));
on("on", "click", () => step(1));
on("in", "click", () => timeline.zoom(0.5, timeline.here ?? timeline.from));
on("out", "click", () => timeline.zoom(2, timeline.here ?? timeline.from));
on("all", "click", () => timeline.look(null));
on("broken", "click", () => { const [a, b] = timeline.violation, d = Math.max((b - a) * 0.6, 1e6); timeline.look(a - d, b + d); timeline.scroll((a + b) / 2); });
on("thousand", "click", () => many.count(engine, link.setup(state), 1000, (seed) => open({ ...link.setup(state), seed })));
on("fuzz", "click", () => many.fuzz(engine, link.setup(state), $("property").value, open));
on("stop", "click", many.stop);
on("copy", "click", (e) => copied(e.target, shown.run.command));
on("link", "click", async (e) => { history.replaceState(null, "", await link.write(state)); copied(e.target, location.href); });
on("save", "click", () => make("a", { href: URL.createObjectURL(new Blob([shown.open.yaml])), download: "scenario.yaml" }).click());
on("report", "toggle", report);
on("filebox", "toggle", async () => {
  if (editor || !$("filebox").open) { return; }
  const { edit } = await import("./editor.js");
  editor = edit($("file"), "The scenario as a file", (yaml) => change({ yaml, set: {}, schedule: null }, "file"));
  editor.set(shown.open.yaml);
});
addEventListener("hashchange", () => { if (location.hash.includes("=")) { follow(); } }); // others lead to a place of the page

if (!location.hash.includes("=")) { draw(true); }
try {
  await engine.ready;
  for (const e of document.querySelectorAll(":is(button,input,select,textarea):disabled")) { e.disabled = e.id === "stop" || e.classList.contains("scenario"); }
  $("load").textContent = "Each change runs at once, in this page.";
  await follow();
} catch (err) {
  $("load").className = "unknown";
  $("load").textContent = `The simulator could not be loaded (${err.message}). Load the page again; what is below is one run, as it was drawn.`;
}
