// A run plays: the cursor moves, and a veil covers what comes later. It stops where a promise breaks, and at the end.

import { set, shape } from "./dom.js";

// player makes a button play the shown window in the seconds that speed says. look(t) shows an instant. It returns a stop.
export function player(timeline, look, button, speed) {
  const veil = shape("rect", { class: "veil" });
  let frame = 0, now = 0, last = 0;
  function stop() {
    cancelAnimationFrame(frame);
    frame = 0;
    veil.remove();
    button.textContent = "▶ Play";
  }
  function next(time) {
    const [a, b] = timeline.shown, broken = timeline.violation ? timeline.violation[0] : Infinity, was = now;
    now = Math.min(b, now + (b - a) / Number(speed.value) * Math.max(0, time - last) / 1000); // a frame may precede the click
    last = time;
    const end = was < broken && now >= broken ? broken : now >= b ? b : null;
    if (end !== null) { now = end; }
    const x = timeline.x(now);
    set(veil, { x, y: 24, width: Math.max(0, timeline.right + 8 - x), height: timeline.bottom - 24 }); // over flags, too
    look(now);
    timeline.scroll(now);
    if (end !== null) { stop(); } else { frame = requestAnimationFrame(next); }
  }
  button.addEventListener("click", () => {
    if (frame) { stop(); return; }
    const [a, b] = timeline.shown, broken = timeline.violation?.[0];
    now = timeline.here > a && timeline.here < b && !(timeline.here === broken && !veil.dataset.stopped) ? timeline.here : a;
    veil.dataset.stopped = 1;
    last = performance.now();
    timeline.over.prepend(veil);
    button.textContent = "■ Pause";
    frame = requestAnimationFrame(next);
  });
  return () => { stop(); delete veil.dataset.stopped; };
}
