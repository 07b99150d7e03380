// The timeline: the simulator's picture, whose bars know their instants, and over it the faults and a cursor to move.

import { make, picture, seconds, set, shape } from "./dom.js";

const arrows = { ArrowLeft: -1, ArrowRight: 1 };

// A Timeline shows runs in a box. It tells the page when an instant is chosen, at(t), or a fault moved, moved(line, from, to).
export class Timeline {
  constructor(box, told) {
    this.box = box;
    this.told = told;
    this.faults = [];
    this.asked = new Map(); // where the reader wants faults, by their lines, while no run has shown it
    this.window = null; // what is shown, [from, to]; null for all of the run
    this.cursor = shape("line", { class: "cursor" });
    this.over = shape("svg", { class: "over" }, this.cursor);
    this.sheet = make("div", { class: "sheet" }, this.over);
    this.adopt(box.querySelector("svg"));
    box.replaceChildren(this.sheet);
    box.addEventListener("scroll", () => this.stick());
    box.addEventListener("keydown", (e) => { if (this.key(e.key)) { e.preventDefault(); } });
    box.addEventListener("click", (e) => { if (!e.target.closest(".mark")) { this.told.at(this.instant(e)); } });
    box.addEventListener("wheel", (e) => {
      if (e.ctrlKey) { e.preventDefault(); this.zoom(e.deltaY > 0 ? 1.25 : 0.8, this.instant(e)); }
    }, { passive: false });
  }

  // show draws a run.
  show(run) {
    this.adopt(picture(run.timeline));
    if (this.window && !this.over.querySelector(":active") && !this.worth(run)) { this.look(null); }
    const first = new Map(); // a fault that struck more than once has its handle at the first
    for (const f of run.faults.filter((f) => f.struck && f.height).reverse()) {
      first.set(f.line || f.text, { ...f, end: f.to ?? this.to, ...this.asked.get(f.line) });
    }
    this.faults = [...first.values()].reverse();
    this.draw();
  }

  // worth reports whether what is shown still shows something of a run: it may be shorter now, or all may be elsewhere.
  worth(run) {
    const [a, b] = this.window;
    return 2 * (Math.min(b, this.to) - Math.max(a, this.from)) >= b - a && run.events.some((e) => e.t >= a && e.t <= b);
  }

  adopt(svg) {
    if (this.svg) { this.svg.replaceWith(svg); } else { this.sheet.prepend(svg); }
    this.svg = svg;
    const d = svg.dataset;
    for (const name of ["left", "right", "top", "bottom", "from", "to"]) { this[name] = Number(d[name]); }
    this.violation = d.window ? d.window.split(" ").map(Number) : null;
    this.over.setAttribute("viewBox", svg.getAttribute("viewBox"));
    this.bars = null;
  }

  get shown() { return this.window || [this.from, this.to]; }

  x(t, [a, b] = this.shown) { return this.left + (this.right - this.left) * (t - a) / Math.max(b - a, 1); }

  // instant returns the true time under a pointer.
  instant(e) {
    const [a, b] = this.shown, box = this.svg.getBoundingClientRect();
    const x = (e.clientX - box.left) / box.width * this.svg.viewBox.baseVal.width;
    return Math.max(a, Math.min(b, a + (x - this.left) / (this.right - this.left) * (b - a)));
  }

  // draw puts bars, marks and the cursor where they belong in what is shown.
  draw() {
    if (this.window || this.bars) { this.stretch(); }
    this.marks();
    this.mark(this.here);
    this.stick();
  }

  // stick keeps the names of the lanes in sight, and the handles off them.
  stick() {
    names(this.box, this.svg);
    const share = 100 * this.left / this.svg.viewBox.baseVal.width;
    this.over.style.clipPath = `inset(0 0 0 calc(${share}% + ${this.box.scrollLeft - 4}px))`;
  }

  stretch() {
    const [a, b] = this.shown, whole = [this.from, this.to];
    this.bars ||= [...this.svg.querySelectorAll("[data-f]")].map((e) => ({
      e, f: Number(e.dataset.f), t: Number(e.dataset.t || e.dataset.f), wide: Number(e.dataset.w || 0),
      rect: e.localName === "rect", x: this.x(Number(e.dataset.f), whole),
      least: Math.min(Number(e.getAttribute("width")), 2.5) }));
    for (const o of this.bars) {
      const x1 = this.x(o.f), x2 = this.x(o.t), shown = Math.max(x1, this.left);
      const out = x2 < this.left - 1 || x1 > this.right + 1 || o.wide && Math.min(x2, this.right) - shown < o.wide;
      o.e.style.display = out ? "none" : "";
      if (out) { continue; }
      if (o.rect) {
        const w = Math.max(Math.min(x2, this.right) - shown, o.least);
        set(o.e, { x: Math.min(shown, this.right - w).toFixed(2), width: w.toFixed(2) });
      } else { o.e.setAttribute("transform", `translate(${(shown - o.x).toFixed(2)})`); }
    }
    this.ticks(a, b);
  }

  // ticks writes the instants of a window over it.
  ticks(a, b) {
    const ticks = this.svg.querySelector(".ticks"), step = nice((b - a) / 8);
    const digits = Math.max(0, Math.min(9, Math.ceil(9 - Math.log10(step))));
    ticks.replaceChildren();
    for (let t = Math.ceil(a / step) * step; t <= b; t += step) {
      ticks.append(shape("text", { x: Math.min(this.x(t), this.right - 16), y: this.top - 6, class: "soft", "font-size": 11,
        "text-anchor": "middle" }, (t / 1e9).toFixed(digits) + "s"));
    }
  }

  // marks lays a handle over each fault, and keeps those that are there, so that one that is dragged or has the focus stays.
  marks() {
    const old = new Map([...this.over.querySelectorAll(".mark")].map((e) => [e.dataset.line, e]));
    for (const f of this.faults) {
      const line = String(f.line || f.text);
      const mark = old.get(line) || this.handle(line);
      old.delete(line);
      mark.fault = f;
      const x1 = Math.max(this.x(f.from), this.left), x2 = Math.min(this.x(f.end), this.right), w = Math.max(x2 - x1, 14);
      const out = this.x(f.end) < this.left || this.x(f.from) > this.right;
      mark.style.display = out ? "none" : "";
      const [body, grip] = mark.children;
      set(body, { x: x1, y: f.y - 3, width: w, height: f.height + 6 });
      set(grip, { x: x1 + w - 8, y: f.y - 3, width: 8, height: f.height + 6 });
      grip.style.display = f.stretch ? "" : "none";
      set(mark, { class: "mark" + (f.movable ? "" : " fixed"), "aria-label": f.text, "aria-valuemax": Math.round(this.to / 1e6),
        "aria-valuenow": Math.round(f.from / 1e6), "aria-valuetext": `from ${seconds(f.from)} for ${seconds(f.end - f.from)}` });
      mark.lastChild.textContent = f.text + "\n" + (f.movable ? "Drag it to move it; keys: arrows. " : "") +
        (f.stretch ? "Drag its end to stretch it; keys: Shift and arrows." : f.why_not);
    }
    for (const gone of old.values()) { gone.remove(); }
  }

  handle(line) {
    const mark = shape("g", { "data-line": line, tabindex: 0, role: "slider", "aria-valuemin": 0 },
      shape("rect", { class: "body", rx: 3 }), shape("rect", { class: "grip", rx: 3 }), shape("title"));
    let drag = null;
    mark.addEventListener("pointerdown", (e) => {
      const f = mark.fault, end = f.stretch && (e.target.classList.contains("grip") || !f.movable);
      if (e.button !== 0 || !f.movable && !end) { return; }
      drag = { end, off: this.instant(e) - (end ? f.end : f.from) };
      mark.setPointerCapture(e.pointerId);
      e.preventDefault();
      mark.focus();
    });
    mark.addEventListener("pointermove", (e) => { if (drag) { this.shift(mark.fault, this.instant(e) - drag.off, drag.end); } });
    mark.addEventListener("touchstart", (e) => { if (drag) { e.preventDefault(); } }, { passive: false }); // else it scrolls
    for (const end of ["pointerup", "pointercancel"]) { mark.addEventListener(end, () => { drag = null; }); }
    mark.addEventListener("keydown", (e) => {
      const by = arrows[e.key], f = mark.fault;
      if (!by) { return; }
      e.preventDefault();
      e.stopPropagation();
      if (e.shiftKey ? f.stretch : f.movable) { this.shift(f, (e.shiftKey ? f.end : f.from) + by * this.step, e.shiftKey); }
    });
    this.over.append(mark);
    return mark;
  }

  // step is how far a key moves a fault, and the grid that a pointer keeps to.
  get step() { const [a, b] = this.shown; return nice((b - a) / 150); }

  // shift moves the beginning of a fault to an instant, and its end with it; or the end alone.
  shift(f, t, end) {
    const step = this.step, grid = (t) => Math.round(t / step) * step;
    const to = end ? f.from + Math.max(step, grid(t - f.from)) : Math.max(0, grid(t));
    if (to === (end ? f.end : f.from)) { return; }
    const place = end ? { end: to } : { from: to, end: f.end + to - f.from };
    this.asked.set(f.line, { ...this.asked.get(f.line), ...place });
    Object.assign(f, place);
    this.marks();
    this.told.moved(f.line, f.from, end ? f.end : null);
  }

  // mark sets the cursor to an instant.
  mark(t) {
    this.here = t;
    const [a, b] = this.shown, seen = t !== null && t !== undefined && t >= a && t <= b;
    this.cursor.style.display = seen ? "" : "none";
    if (seen) { set(this.cursor, { x1: this.x(t), x2: this.x(t), y1: this.top - 4, y2: this.bottom }); }
  }

  // look shows a part of the run; null shows all of it. It stays within the run.
  look(a, b) {
    const w = Math.max(Math.min(b - a, this.to - this.from), 100), s = Math.max(this.from, Math.min(a, this.to - w));
    this.window = a === null || w >= this.to - this.from ? null : [s, s + w];
    this.box.classList.toggle("zoomed", this.window !== null);
    this.draw();
  }

  zoom(by, t) { const [a, b] = this.shown; this.look(t - (t - a) * by, t + (b - t) * by); }

  // sight shows an instant that is out of what is shown.
  sight(t) {
    const [a, b] = this.shown, w = b - a;
    if (t < a || t > b) { this.look(t - w / 2, t + w / 2); }
    this.scroll(t);
  }

  // scroll brings an instant into what a small screen shows.
  scroll(t) {
    if (this.box.scrollWidth <= this.box.clientWidth) { return; }
    this.box.scrollLeft = (this.x(t) - this.left / 2) / scale(this.svg) - this.box.clientWidth / 2;
  }

  // key does what a key asks for, or a button in its place, and reports whether it knows the key.
  key(key) {
    const [a, b] = this.shown, middle = this.here >= a && this.here <= b ? this.here : (a + b) / 2;
    if (key === "+" || key === "=") { this.zoom(0.5, middle); }
    else if (key === "-") { this.zoom(2, middle); }
    else if (key === "0") { this.look(null); }
    else if (arrows[key]) { this.told.step(arrows[key]); }
    else { return false; }
    return true;
  }
}

// scale returns how many units of a picture are a pixel.
export const scale = (svg) => svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;

// names keeps the names of the lanes in sight where a box scrolls.
export function names(box, svg) {
  const names = svg.querySelector(".names");
  if (names) { set(names, { transform: `translate(${(box.scrollLeft * scale(svg)).toFixed(1)})` }); }
}

// nice returns 1, 2 or 5 times a power of ten, not less than n.
function nice(n) {
  const power = 10 ** Math.floor(Math.log10(Math.max(n, 1)));
  return [1, 2, 5, 10].map((x) => x * power).find((x) => x >= n) || power;
}
