// What the reader sets: the scenario, and its settings, which the simulator lists.

import { $, duration, make } from "./dom.js";

// fill shows settings as controls. It reports each change to set(path, value, done); done is false while a slider moves.
export function fill({ settings, lead }, set) {
  const ofFault = (s) => s.path.startsWith("fault.");
  const first = settings.filter((s) => s.path === lead.path).map((s) => ({ ...s, label: lead.question }));
  const others = settings.filter((s) => s.path !== lead.path), main = others.filter((s) => s.main);
  keep($("lead"), first.map((s) => control(s, set)));
  keep($("settings"), [...main.filter(ofFault), ...main.filter((s) => !ofFault(s))].map((s) => control(s, set)));
  keep($("rest"), others.filter((s) => !s.main).map((s) => control(s, set)));
}

// keep replaces the controls of a box, except the one that has the focus, because its slider may be being dragged.
function keep(box, controls) {
  const focused = box.querySelector(".control:focus-within");
  const same = focused ? controls.findIndex((c) => c.dataset.path === focused.dataset.path) : -1;
  if (same < 0) { box.replaceChildren(...controls); return; }
  for (const c of [...box.children]) { if (c !== focused) { c.remove(); } }
  refreshed(focused, controls[same]);
  box.prepend(...controls.slice(0, same));
  box.append(...controls.slice(same + 1));
}

// refreshed copies values into a control that is kept, except into the field that has the focus.
function refreshed(old, fresh) {
  old.className = fresh.className;
  const fields = [...old.querySelectorAll("input,select")];
  fresh.querySelectorAll("input,select").forEach((f, i) => {
    if (fields[i] && fields[i] !== document.activeElement) { fields[i].value = f.value; fields[i].checked = f.checked; }
  });
}

// control returns a setting as what fits its kind: a box to tick, a choice, a slider with its value, or a text.
function control(s, set) {
  const id = "set-" + s.path, value = String(s.value);
  const tell = (v, done = true) => set(s.path, String(v), done);
  const label = make("label", { for: id }, s.label);
  const box = make("div", { class: "control" + (value === String(s.default) ? "" : " changed"), "data-path": s.path });
  if (s.kind === "bool") {
    const tick = make("input", { type: "checkbox", id, checked: value === "true", change: (e) => tell(e.target.checked) });
    box.append(make("span", { class: "tick" }, tick, label));
  } else if (s.kind === "enum") {
    const options = s.choices.map((c, i) => make("option", { value: c, selected: c === value }, s.names[i]));
    box.append(label, make("select", { id, change: (e) => tell(e.target.value) }, options));
  } else {
    const text = make("input", { id, type: "text", value, size: 9, spellcheck: "false", autocomplete: "off",
      change: (e) => tell(e.target.value.trim()) });
    const back = Number.parseFloat(s.default) ? s.default : written[s.kind]?.(s.most / 2) || 1;
    const none = make("input", { type: "checkbox", checked: Number.parseFloat(value) === 0,
      change: (e) => tell(e.target.checked ? "0" + (s.kind === "duration" ? "s" : "") : back) });
    box.append(label, text, s.zero ? make("label", { class: "zero" }, none, " ", s.zero) : "", ...slider(s, text, tell));
  }
  box.append(make("p", { class: "about soft" }, s.about + " ", make("small", {}, s.path)));
  return box;
}

// A slider goes from 0 to 1000, for least to most. written writes a length of time, a rate, a share; the rest are counts.
const written = { duration, rate: (n) => (n > 0 ? "+" : "") + n / 1000 + "ppm", ratio: (n) => String(n / 1e6) };

function slider(s, text, tell) {
  const { least, most } = s, log = s.scale === "log" && least > 0;
  if (s.number === null || s.number === undefined || !(most > least)) { return []; }
  const place = (n) => 1000 * (log ? Math.log(n / least) / Math.log(most / least) : (n - least) / (most - least));
  const value = (p) => {
    const n = log ? least * (most / least) ** (p / 1000) : least + (most - least) * p / 1000;
    return (written[s.kind] || String)(Math.round(log || s.kind !== "int" ? Number(n.toPrecision(3)) : n));
  };
  const range = make("input", { type: "range", min: 0, max: 1000, step: s.kind === "int" ? 1000 / (most - least) : 1,
    value: place(Math.max(s.number, least)), "aria-label": s.label, "aria-valuetext": s.value,
    input: () => moved(false), change: () => moved(true) });
  const moved = (done) => {
    text.value = value(Number(range.value));
    range.setAttribute("aria-valuetext", text.value);
    tell(text.value, done);
  };
  if (!s.mark || s.mark > most) { return [range]; }
  const at = make("small", { class: "mark soft", "aria-hidden": "true" }, "▲ TTL " + duration(s.mark));
  at.style.setProperty("--at", place(s.mark) / 1000);
  return [range, at];
}

// catalogue fills the dialogue in which a scenario is picked, by group, and narrowed down by words.
export function catalogue(about, pick) {
  const groups = new Map();
  for (const s of about.scenarios) { groups.set(s.group, [...(groups.get(s.group) || []), s]); }
  const list = $("scenarios"), search = $("search"), dialogue = $("catalogue");
  for (const [group, all] of groups) {
    const button = (s) => make("button", { type: "button", class: "scenario", title: s.about,
      click: () => { dialogue.close(); pick(s.id); } },
    make("strong", {}, s.id), " ", make("span", { class: "soft" }, s.title));
    list.append(make("section", {}, make("h3", {}, group), all.map(button)));
  }
  const left = (box) => [...box.querySelectorAll("button:not([hidden])")];
  const narrow = () => {
    const words = search.value.toLowerCase().split(/\s+/), fits = (text) => words.every((w) => text.toLowerCase().includes(w));
    for (const b of list.querySelectorAll("button")) { b.hidden = !fits(b.textContent + b.title); }
    for (const s of list.children) { s.hidden = !left(s).length; }
    $("none").hidden = left(list).length > 0;
  };
  search.addEventListener("input", narrow);
  $("find").addEventListener("submit", (e) => {
    e.preventDefault();
    const all = left(list), name = (b) => b.firstChild.textContent; // a name says more than a text
    (all.find((b) => name(b) === search.value) || all.find((b) => name(b).includes(search.value)) || all[0])?.click();
  });
  $("pick").addEventListener("click", () => { search.value = ""; narrow(); dialogue.showModal(); });
}
