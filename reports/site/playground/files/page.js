// The playground: its state is what a link holds. Each change of it is run, and all of the page is redrawn from the answer.

import { $, copied, duration, make, picture, saved } from "./dom.js";
import { Engine, newest } from "./engine.js";
import { Timeline, names, scale } from "./timeline.js";
import * as controls from "./controls.js";
import { drawn, painted } from "./export.js";
import * as link from "./link.js";
import * as many from "./many.js";
import { player } from "./play.js";
import * as tour from "./tour.js";
import * as views from "./views.js";
import first from "./first.js"; // what the simulator answers for the run that the page begins with

const begin = { scenario: first.scenario, yaml: null, set: link.sets(first.set), schedule: null, seed: 1, beside: first.beside,
  at: null, tour: 0, embed: 0 };
let state = begin;
let shown = { run: first.run, open: first.open }; // the newest answers
let editor = null;
let touched = null; // what the reader changed last: the path of a setting, "schedule", "file"
let before; // the run that the reader began to change, and its setup
let todo = { opened: true }; // of the next run: opened, if the reader begins with it; settings, if they are looked up again

const timeline = new Timeline($("lanes"), { at: (t) => look(t), step, moved: move });

// change makes the next state, and runs it. With settings, the controls are looked up again too.
function change(next, what, settings = true) {
  quiet();
  const was = counted(state);
  state = { ...state, ...next };
  touched = what;
  undoable = true;
  if (settings) { todo.settings = true; }
  if (counted(state) !== was) { many.clear(); }
  save();
  return refresh();
}
const counted = (s) => JSON.stringify({ ...link.setup(s), seed: 0 }); // counts of many seeds are of this
const exactly = (s) => JSON.stringify(link.setup(s));

const refresh = newest(async () => {
  const s = state, { settings, opened } = todo;
  todo = {};
  try {
    const run = await engine.ask("run", { setup: link.setup(s) });
    if (run.problems.length) {
      todo.opened ||= opened;
      failed(run.problems);
      return;
    }
    const open = settings ? await engine.ask("open", { setup: link.setup(s) }) : shown.open;
    shown = { run, open };
    if (opened) { before = { run, of: exactly(s) }; }
    draw(settings);
    const other = s.beside && await engine.ask("run", { setup: link.setup(s, s.beside) }).catch((err) => ({ problems: [err] }));
    pair(other);
  } catch (err) {
    failed([err]);
  }
});

// failed says what can't be run, at the place that the reader changed. The last picture stays, but faint.
function failed(problems) {
  todo.settings = true; // by the next that can be run
  const [p] = problems;
  const column = p.column ? ", column " + p.column : "", of = p.where === "schedule" ? " of the schedule" : "";
  const where = p.line ? `Line ${p.line}${column}${of}: ` : "";
  if (document.body.classList.contains("linked")) { // nothing has been drawn: what the page begins with is better than nothing
    const s = state;
    state = begin;
    draw(true);
    state = s;
  }
  document.body.classList.add("stale");
  $("problem").textContent = "This can't be run: " + where + p.message.replace(/[^.!?]$/, "$&.");
  unmark();
  document.querySelector(`[data-path="${CSS.escape(touched)}"] :is(input,select)`)?.setAttribute("aria-invalid", true);
  if (p.where === "schedule") { $("schedule").setAttribute("aria-invalid", true); }
  if (editor && touched !== "file") { editor.set(text()); }
  if (editor) { editor.problems(problems.filter((x) => x.where === "yaml" && x.line)); }
  save();
}

function unmark() {
  for (const e of document.querySelectorAll("[aria-invalid]")) { e.removeAttribute("aria-invalid"); }
}

// draw shows the newest answers.
function draw(settings) {
  const { run, open } = shown;
  document.body.classList.remove("stale", "linked");
  $("problem").textContent = "";
  unmark();
  named(state, run.title);
  document.body.classList.toggle("embed", Boolean(state.embed));
  $("whole").hidden = !state.embed;
  tour.show(state.tour, walk);
  $("title").style.visibility = state.tour || before.of !== exactly(state) ? "hidden" : ""; // it is of the run as written
  $("try").hidden = state.scenario !== begin.scenario || state.yaml !== null;
  undecided(run.broken.length);
  $("verdict").replaceChildren(...views.verdict(run, before.of !== exactly(state) && before.run));
  $("chips").replaceChildren(views.chips(run, null, show));
  if (!moving) { timeline.asked.clear(); }
  timeline.show(run);
  const broken = [...timeline.svg.querySelectorAll(".band[data-f]")].pop(); // the last: a lost update, for one
  if (broken && touched === null) { timeline.scroll(Number(broken.dataset.f)); } // on a small screen
  $("broken").disabled = !timeline.violation;
  if (settings) {
    controls.fill(open, (path, value, done) => change({ set: { ...state.set, [path]: value } }, path, done));
    choices();
  }
  field($("schedule"), state.schedule === null && !open.drawn ? run.schedule : open.schedule);
  if (editor) { editor.problems([]); if (touched !== "file") { editor.set(open.yaml); } }
  $("stories").replaceChildren(...views.stories(run));
  $("sequence").replaceChildren(picture(run.sequence));
  $("command").textContent = run.command;
  $("hash").textContent = run.hash;
  $("needs").textContent = run.needs ? `It needs the file ${run.needs}: save it with “The scenario as a file” above.` : "";
  $("left").replaceChildren(make("p", {}, run.left));
  report();
  $("events").replaceChildren(...views.events(run, look));
  look(state.at ?? (timeline.violation || [(run.events[0] || { t: 0 }).t])[0], state.at === null);
  save();
}

function named(s, title) {
  $("name").textContent = s.yaml === null ? s.scenario : "a file of your own";
  $("title").replaceChildren(make("p", {}, title));
  field($("seed"), String(s.seed));
}

// field sets a field, unless its reader is writing in it.
function field(e, value) { if (e !== document.activeElement) { e.value = value; } }

// pair shows the run beside the same one with one thing changed, with what differs marked.
function pair(other) {
  const { run } = shown, says = "The run that " + $("beside").selectedOptions[0].label;
  const both = other ? [views.beside("As it is", run, other.promises && other), views.beside(says, other, run, run)] : [];
  $("pair").replaceChildren(...both);
  $("pair").hidden = !other;
  for (const box of $("pair").querySelectorAll(".wide")) { // where it does not fit, it begins at what is broken
    const band = [...box.querySelectorAll(".band[data-f]")].pop();
    box.addEventListener("scroll", () => names(box, box.firstChild));
    if (band) { box.scrollLeft = band.getAttribute("x") / scale(box.firstChild) - box.clientWidth / 2; }
  }
}

// choices offers what differs from the run as it is.
function choices() {
  const now = new Map(shown.open.settings.map((x) => [x.path, x.value]));
  const kind = shown.open.settings.find((x) => x.path === "lock.kind");
  const locks = kind ? kind.choices.map((c, i) => ({ set: "lock.kind=" + c, label: "uses another lock: " + kind.names[i] })) : [];
  const options = [{ set: "", label: "… (nothing to compare with)" }, ...first.choices, ...locks].filter((o) => {
    const [path, value] = o.set.split("=");
    return !o.set || o.set === state.beside || now.has(path) && now.get(path) !== value;
  });
  if (!options.some((o) => o.set === state.beside)) { options.push({ set: state.beside, label: "has " + state.beside }); }
  $("beside").replaceChildren(...options.map((o) => make("option", { value: o.set, selected: o.set === state.beside }, o.label)));
}

// look shows one instant: the cursor, the event, the state. An instant that the page itself chose is not in the link.
function look(t, own = false) {
  if (!own) { state = { ...state, at: t }; save(); }
  timeline.mark(t);
  const all = [...$("events").children], i = all.findLastIndex((e) => Number(e.dataset.at) <= t);
  all.forEach((e, n) => e.classList.toggle("now", n === i));
  if (all[i]) {
    const box = $("events").parentNode;
    box.scrollTop = all[i].offsetTop - box.clientHeight / 2;
  }
  const said = all[i] ? ": " + all[i].lastChild.textContent + (Number(all[i].dataset.at) < t ? " (the last event)" : "") : "";
  $("read").textContent = "At " + (t / 1e9).toFixed(3) + " s (blue line)" + said;
  instant = Math.max(timeline.from, Math.min(timeline.to, Math.round(t)));
  ask();
}
let instant = 0;

const ask = newest(async () => {
  const answer = engine.ask("state", { setup: link.setup(state), t: instant });
  $("state").replaceChildren(...await answer.then(views.state, (err) => [make("p", { class: "violated" }, err.message)]));
});

// decide asks when it was decided that a promise would break, which takes a second, of a worker that the next change ends.
let decider = null;
async function decide() {
  $("decide").disabled = true;
  $("decided").textContent = "Continuing the run in many other ways …";
  decider = engine.another();
  const told = await decider.ask("decide", { setup: link.setup(state) }).catch((err) => ({ says: err.message }));
  if (told.timeline) { timeline.show({ ...shown.run, timeline: told.timeline }); }
  $("decided").textContent = told.says;
  decider.end();
}
function undecided(breaks) {
  decider?.end();
  $("decided").textContent = "";
  $("decide").style.visibility = breaks ? "" : "hidden";
  $("decide").disabled = $("seed").disabled; // until the simulator is there
}

// report has the whole report written, if it is open.
async function report() {
  if (!$("report").open) { return; }
  $("text").textContent = await engine.ask("report", { setup: link.setup(state) }).then((r) => r.text, (err) => err.message);
}

// add writes a fault into the schedule, at the instant that is shown, and gives its handle the focus.
async function add(what) {
  const span = timeline.to - timeline.from, at = Math.max(timeline.from, Math.min(instant, timeline.from + 0.8 * span));
  const from = duration(Math.round(at / 1e6) * 1e6), length = duration(Number((span / 5).toPrecision(1)));
  const written = what.replace("AT", from).replace("FOR", length);
  const lines = $("schedule").value.trimEnd();
  await change({ schedule: (lines ? lines + "\n" : "") + written + "\n", set: unscheduled() }, "schedule");
  document.querySelector(`.mark[data-line="${lines ? lines.split("\n").length + 1 : 1}"]`)?.focus();
}

// unscheduled returns the settings that are of no fault: a schedule that is written says all of its faults.
function unscheduled() {
  const kinds = ["fault", ...first.about.faults.map((f) => f.name)];
  return Object.fromEntries(Object.entries(state.set).filter(([path]) => !kinds.includes(path.split(".")[0])));
}

// show shows an instant, and goes to the picture.
function show(t) {
  look(t);
  timeline.sight(t);
  $("stage").scrollIntoView();
}

// step goes to the next event, or the one before.
function step(by) {
  const times = [...new Set(shown.run.events.map((e) => e.t))], now = timeline.here;
  const t = by > 0 ? times.find((x) => x > now) : times.findLast((x) => x < now);
  if (t !== undefined) { look(t); timeline.sight(t); }
}

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
  moving = { line, from: Math.round(from), to: to && Math.round(to) };
  moves();
  save();
}

// save updates the link a moment after the last change, and tells a screen reader the verdict. Each completed change is an
// entry of the history, so that Back undoes it; everything typed into one text is one change.
let later = 0, undoable = false, typed = null, held = false;
function save() {
  clearTimeout(later);
  $("verdict").setAttribute("aria-busy", true);
  later = setTimeout(async () => {
    const to = await link.write(state);
    if (held || [refresh, moves, ask].some((job) => job.busy)) { save(); return; }
    const typing = ["schedule", "file"].includes(touched) ? touched : null;
    if (undoable && location.hash && to !== location.hash && !(typing && typing === typed)) { history.pushState(1, "", to); }
    else { history.replaceState(1, "", to); }
    undoable = false;
    typed = typing;
    $("verdict").removeAttribute("aria-busy");
    const text = document.body.classList.contains("stale") ? "" : $("verdict").firstChild.textContent;
    if ($("said").textContent !== text) { $("said").textContent = text; }
  }, 300);
}
for (const [event, is] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false], ["blur", false]]) {
  addEventListener(event, () => { held = is; }, true);
}
history.scrollRestoration = "manual";

// take makes a setup the state.
const take = (s, also) => change({ yaml: null, schedule: null, ...s, set: link.sets(s.set), at: null, ...also }, null);

function open(setup) {
  todo.opened = true;
  take(setup, { tour: 0 });
  timeline.look(null);
  $("name").scrollIntoView();
}

// walk goes to a step of the tour; 0 ends it where it is.
async function walk(n) {
  const step = n ? await link.read(first.tour[n - 1].link, begin) : state;
  todo.opened ||= n > 0;
  if (n) { timeline.look(null); }
  const done = change({ ...step, tour: n }, null);
  tour.show(n, walk);
  await done;
  $(n ? "h-tour" : "begin").focus();
  $(n ? "tour" : "intro").scrollIntoView({ block: "nearest" });
}

// follow runs what the link says. One that this page wrote is of a change that is undone, or done again.
const follow = () => link.read(location.hash, begin).then((s) => {
  todo.opened ||= history.state === null;
  const done = change(s, null);
  undoable = false;
  return done;
}, () => failed([new Error("The link is cut short, or has been changed.")]));

// The page shows its first run at once, and what a link asks for when the simulator is there.
const mega = (n) => (n ? (n / 1e6).toFixed(1) : "?");
const engine = new Engine((got, of) => { $("load").textContent = `Loading the simulator: ${mega(got)} of ${mega(of)} MB`; });
controls.catalogue(first.about, (scenario) => open({ scenario, seed: 1, set: [] }));
$("kinds").append(...views.kinds(first.about.faults));
$("property").append(...first.about.promises.map((p) => make("option", { value: p.name }, p.plain)));
const on = (id, event, f) => $(id).addEventListener(event, f);
on("seed", "input", (e) => { if (Number(e.target.value) > 0) { change({ seed: Number(e.target.value) }, null, false); } });
on("begin", "click", () => walk(1));
const quiet = player(timeline, (t) => look(t, true), $("play"), $("speed"));
for (const b of document.querySelectorAll("#palette button")) { b.addEventListener("click", () => add(b.dataset.fault)); }
on("reset", "click", () => take(JSON.parse(before.of)));
on("schedule", "input", (e) => change({ schedule: e.target.value, set: unscheduled() }, "schedule"));
on("beside", "change", (e) => change({ beside: e.target.value }, null, false));
for (const b of document.querySelectorAll("[data-key]")) { b.addEventListener("click", () => timeline.key(b.dataset.key)); }
on("broken", "click", () => {
  const [a, b] = timeline.violation, d = Math.max((b - a) * 0.6, 1e6);
  timeline.look(a - d, b + d);
  timeline.scroll((a + b) / 2);
});
on("decide", "click", decide);
on("thousand", "click", () => many.count(engine, link.setup(state), 1000, (seed) => open({ ...link.setup(state), seed })));
on("fuzz", "click", () => many.fuzz(engine, link.setup(state), $("property").value, open));
on("stop", "click", many.stop);
on("copy", "click", (e) => copied(e.target, shown.run.command));
on("link", "click", async (e) => { history.replaceState(null, "", await link.write(state)); copied(e.target, location.href); });
const text = () => (document.body.classList.contains("stale") && state.yaml !== null ? state.yaml : shown.open.yaml);
for (const id of ["save", "yaml"]) { on(id, "click", () => saved("scenario.yaml", editor ? editor.text() : text())); }
on("svg", "click", () => saved("lockstorm.svg", drawn(timeline), "image/svg+xml"));
on("png", "click", async () => saved("lockstorm.png", await painted(timeline), "image/png"));
const address = async (embed) => location.href.split("#")[0] + (await link.write({ ...state, embed, tour: 0 }));
on("whole", "click", async () => window.open(await address(0)));
on("frame", "click", async (e) => copied(e.target,
  `<iframe src="${(await address(1)).replace(/&/g, "&amp;").replace(/"/g, "&quot;")}" ` +
    `width="100%" height="400" title="Lockstorm: a run"></iframe>`));
on("report", "toggle", report);
on("filebox", "toggle", async () => {
  if (editor || !$("filebox").open) { return; }
  const { edit } = await import("./editor.js");
  editor = edit($("file"), "The scenario as a file", (yaml) => change({ yaml, set: {}, schedule: null }, "file"));
  editor.set(text());
  refresh(); // which marks what is wrong in it
});
addEventListener("hashchange", () => { if (location.hash.includes("=")) { follow(); } }); // others lead to a place of the page

before = { run: first.run, of: exactly(begin) };
if (!location.hash.includes("=")) {
  todo = {};
  draw(true);
} else { // what is known of it
  const title = (s) => first.about.scenarios.find((x) => x.id === s.scenario)?.title || "";
  link.read(location.hash, begin).then((s) => named(s, title(s)), () => {});
}
try {
  await engine.ready;
  for (const e of document.querySelectorAll("[disabled]:not(#stop,#broken,.scenario)")) { e.disabled = false; }
  $("load").textContent = "Each change runs at once, in this page.";
  await follow();
  performance.mark("ready");
} catch (err) {
  $("load").className = "unknown";
  $("load").textContent = `The simulator could not be loaded (${err.message}). Load the page again; below is one run.`;
}
