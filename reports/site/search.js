"use strict";
// Finds the sections that have all words, best first: a word in the title of a page counts most, then one in a heading.
// The changelog and generated tables come last.
(function () {
  const box = document.querySelector("[name=q]"), said = document.querySelector(".found"), list = document.querySelector(".hits");
  const most = 40, around = 90;
  const places = sections.map(s => ({ s, title: s.p.toLowerCase(), head: (s.h || "").toLowerCase(), text: s.t.toLowerCase() }));
  const begins = (text, word) => { // where a word begins with it, or else where it is at all
    const i = (" " + text).indexOf(" " + word);
    return i < 0 ? text.indexOf(word) : i;
  };
  function score(p, words) {
    let sum = 0;
    for (const w of words) {
      const title = p.title.includes(w) ? (p.head ? 6 : 20) : 0, head = p.head.includes(w) ? 10 : 0;
      const here = title + head + Math.min(4, p.text.split(w).length - 1);
      if (here === 0) return 0;
      sum += here;
    }
    return sum;
  }
  function mark(text, words, into) { // highlights the words; nothing of a text becomes HTML
    const plain = words.toSorted((a, b) => b.length - a.length).map(w => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    text.split(new RegExp("(" + plain.join("|") + ")", "i")).forEach((part, i) => {
      const e = i % 2 ? into.appendChild(document.createElement("mark")) : into;
      e.append(part);
    });
  }
  function show() {
    const words = box.value.toLowerCase().split(/\s+/).filter(w => w), found = [];
    for (const p of places) { const n = words.length ? score(p, words) : 0; if (n) found.push([n, p]); }
    found.sort((a, b) => !!a[1].s.l - !!b[1].s.l || b[0] - a[0]);
    list.replaceChildren();
    for (const [, p] of found.slice(0, most)) {
      const item = document.createElement("li"), a = item.appendChild(document.createElement("a"));
      a.href = p.s.a;
      mark(p.s.h ? p.s.p + ": " + p.s.h : p.s.p, words, a);
      const near = i => words.filter(w => { const j = p.text.indexOf(w, i - around); return j >= 0 && j < i + around; }).length;
      const at = words.map(w => begins(p.text, w)).filter(i => i >= 0).sort((a, b) => near(b) - near(a) || a - b)[0] || 0;
      const start = at > around ? p.text.lastIndexOf(" ", at - around) + 1 : 0;
      const end = start + 2.5 * around, more = p.s.t.length > end ? "…" : "";
      mark((start ? "…" : "") + p.s.t.slice(start, end) + more, words, item.appendChild(document.createElement("p")));
      list.append(item);
    }
    said.textContent = !words.length ? "Type some words."
      : found.length > most ? "The best " + most + " of " + found.length + " sections:"
      : found.length === 1 ? "One section:" : found.length ? found.length + " sections:" : "No section has all of these words.";
  }
  said.setAttribute("role", "status");
  box.value = new URLSearchParams(location.search).get("q") || "";
  box.addEventListener("input", show);
  show();
  if (!box.value) box.focus();
})();
