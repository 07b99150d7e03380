// The tour of the debate: each step is a state of the page, which the reader can change like any other.

import { $, make } from "./dom.js";
import first from "./first.js";

// show shows a step of the tour, from 1 on; 0 is none. go(n) goes to another one.
export function show(n, go) {
  const steps = first.tour, step = steps[n - 1];
  const button = (to, label, kind) => make("button", { type: "button", class: kind, click: () => go(to) }, label);
  $("tour").hidden = !step;
  $("intro").hidden = Boolean(step);
  $("begin").hidden = Boolean(step);
  if (!step || $("tour").dataset.step === String(n)) { return; }
  $("tour").dataset.step = n;
  const text = step.text.split(/(“Compare with”)/), see = () => { $("beside").focus(); $("h-pair").scrollIntoView(); };
  $("tour").replaceChildren(make("h2", { id: "h-tour", tabindex: -1 }, `Step ${n} of ${steps.length}: ${step.title}`),
    make("p", {}, text.map((x, i) => (i % 2 ? make("button", { type: "button", class: "term", click: see }, x) : x))),
    make("p", { class: "tools" }, n > 1 ? button(n - 1, "Previous") : null,
      n < steps.length ? button(n + 1, "Next", "first") : null, button(0, "End the tour"),
      make("span", { class: "soft" }, "Change anything you like; “Undo all changes” leads back to the step.")));
}
