"use strict";
// Finds the sections that have all words, best first: a word in the title of a page counts most, then one in a heading.
// The changelog and generated tables come last.
(function () {
  const box = document.querySelector("[name=q]"), said = document.querySelector(".found"), list = document.querySelector(".hits");
  const most = 40, around = 90;
  const places = sections.map(s => ({ s, title: s.p.toLowerCase(), head: (s.h || "").toLowerCase(), text: s.t.toLowerCase() }));
  const begins = (text, word) => { // where a word begins with it, or else where it is at all
    for (let i = text.indexOf(word); i >= 0; i = text.indexOf(word, i + 1)) {
      if (i === 0 || !/[\p{L}\p{N}]/u.test(text[i - 1])) return i;
    }
    return text.indexOf(word);
  };
  function score(p, words) {
    let sum = 0;
    for (const w of words) {
      const here = (p.title.includes(w) ? (p.head ? 6 : 20) : 0) + (p.head.includes(w) ? 10 : 0) + Math.min(4, p.text.split(w).length - 1);
      if (here === 0) return 0;
      sum += here;
    }
    return sum;
  }
  function mark(text, words, into) { // the words stand out; nothing of a text becomes HTML
    let from = 0;
    const low = text.toLowerCase();
    for (;;) {
      const all = words.map(w => [low.indexOf(w, from), w.length]).filter(x => x[0] >= 0);
      const next = all.sort((a, b) => a[0] - b[0] || b[1] - a[1])[0];
      if (!next) break;
      into.append(text.slice(from, next[0]));
      into.appendChild(document.createElement("mark")).textContent = text.slice(next[0], from = next[0] + next[1]);
    }
    into.append(text.slice(from));
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
