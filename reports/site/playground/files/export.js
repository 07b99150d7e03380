// The present picture as a file: it has the style sheet of pictures in it, and so it looks the same elsewhere.

import { set, shape } from "./dom.js";

// drawn returns what a timeline shows, as the text of an SVG file.
export function drawn(timeline) {
  const svg = timeline.svg.cloneNode(true), { width, height } = timeline.svg.viewBox.baseVal;
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText);
  for (const e of svg.querySelectorAll("*")) { if (e.style.display === "none") { e.remove(); } }
  svg.prepend(shape("style", {}, rules.filter((text) => text.includes(".ls")).join("\n")));
  return new XMLSerializer().serializeToString(set(svg, { width, height }));
}

// painted returns the same as a PNG, with two pixels for each unit.
export async function painted(timeline) {
  const image = new Image(), canvas = document.createElement("canvas"), { width, height } = timeline.svg.viewBox.baseVal;
  image.src = "data:image/svg+xml," + encodeURIComponent(drawn(timeline));
  await image.decode();
  Object.assign(canvas, { width: 2 * width, height: 2 * height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done));
}
