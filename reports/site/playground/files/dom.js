// What all parts of the page do with its elements. Whatever comes from a scenario is set as text, never as markup.

export const $ = (id) => document.getElementById(id);

// make returns an element with attributes, and its content: elements, or texts. shape returns an element of a picture.
export const make = (name, attributes, ...parts) => filled(document.createElement(name), attributes, parts);
export const shape = (name, attributes, ...parts) => filled(document.createElementNS(NS, name), attributes, parts);
const NS = "http://www.w3.org/2000/svg";

function filled(e, attributes, parts) {
  e.append(...parts.flat().filter((p) => p !== null && p !== undefined));
  return set(e, attributes);
}

// set sets attributes of an element, and returns it. A function is a listener of that name.
export function set(e, attributes) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") { e.addEventListener(key, value); }
    else if (value !== undefined && value !== null && value !== false) { e.setAttribute(key, value === true ? "" : value); }
  }
  return e;
}

// table returns a table with heads; the first cell of a row names it. A cell is a text, or an element of its own.
export function table(caption, heads, rows) {
  const cell = (c, name) => (c instanceof Element ? c : make(name, name === "th" ? { scope: "row" } : {}, c));
  return make("div", { class: "tablewrap" }, make("table", {}, caption ? make("caption", {}, caption) : null,
    make("thead", {}, make("tr", {}, heads.map((h) => make("th", { scope: "col" }, h)))),
    make("tbody", {}, rows.map(([name, ...cells]) => make("tr", {}, cell(name, "th"), cells.map((c) => cell(c, "td")))))));
}

let pictures = 0;

// picture returns an SVG of the simulator as an element. It is read as XML, so that a name can't close a tag, and everything
// that could act is taken out. Its ids get a number, because a page has several pictures.
export function picture(text) {
  const own = text.replace(/(?<=["#])(timeline|sequence)-/g, `p${++pictures}-`);
  const svg = new DOMParser().parseFromString(own, "image/svg+xml").documentElement;
  if (svg.namespaceURI !== NS || svg.localName !== "svg" || svg.querySelector("parsererror")) {
    throw new Error("this is no picture");
  }
  for (const e of [svg, ...svg.querySelectorAll("*")]) {
    if (e.namespaceURI !== NS || /^(script|foreignObject|a|use|image|animate.*|set)$/.test(e.localName)) { e.remove(); }
    for (const a of [...e.attributes]) { if (/^(on|href|xlink:href)/i.test(a.name)) { e.removeAttribute(a.name); } }
  }
  return document.importNode(svg, true);
}

let popups = 0;

// popup returns a button that opens a card, by keys and by touch too, and the card.
export function popup(label, kind, ...parts) {
  const id = "popup-" + ++popups;
  return [make("button", { type: "button", class: kind, popovertarget: id }, label),
    make("div", { id, popover: true, class: "meaning" }, parts)];
}

// seconds returns an instant or a length as a report has it.
export const seconds = (t) => (t / 1e9).toFixed(6) + "s";

const units = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];

// duration returns a length of time as files have it, in the largest unit of which there is at least one.
export function duration(t) {
  const [unit, size] = units.find((u) => Math.abs(t) >= u[1]) || units[0];
  return Number((t / size).toPrecision(4)) + unit;
}

// saved lets the reader save a file.
export function saved(name, content, type = "text/plain") {
  make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name }).click();
}

// copied puts a text into the clipboard, and says so on the button.
export async function copied(button, text) {
  const label = button.dataset.label ||= button.textContent, wrote = navigator.clipboard.writeText(text);
  button.textContent = await wrote.then(() => "Copied", () => "The browser refused; select and copy it");
  setTimeout(() => { button.textContent = label; }, 2000);
}
