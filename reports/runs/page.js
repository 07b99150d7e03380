"use strict";
(function () {
  var $ = function (id) { return document.getElementById(id); };
  function make(name, set, parts) {
    var e = document.createElement(name);
    Object.keys(set).forEach(function (k) { e.setAttribute(k, set[k]); });
    (parts || []).forEach(function (p) { e.append(p); });
    return e;
  }

  // The timeline: every bar knows its instants, so zooming is exact.
  var lanes = $("lanes"), svg = lanes.querySelector("svg"), NS = "http://www.w3.org/2000/svg", given = svg.dataset;
  var from = +given.from, to = +given.to, a = from, b = to;
  var buttons = [["in", "Zoom in"], ["out", "Zoom out"], ["all", "Whole run"], ["window", "Show the violation"], ["back", "Previous event"], ["next", "Next event"]]
    .filter(function (x) { return x[0] !== "window" || given.window; })
    .map(function (x) { return make("button", { type: "button", "data-do": x[0] }, [x[1]]); });
  buttons.push(make("span", { "class": "soft" }, ["Drag to move, Ctrl and the wheel to zoom; keys: + − 0 and arrows."]));
  lanes.parentNode.before(make("div", { "class": "tools" }, buttons));
  lanes.parentNode.after(make("p", { "class": "read", id: "read", "aria-live": "polite" }));
  var L = +svg.dataset.left, R = +svg.dataset.right, top = +svg.dataset.top, bottom = +svg.dataset.bottom;
  var bars = Array.prototype.slice.call(svg.querySelectorAll("[data-f]")).map(function (e) {
    return { e: e, f: +e.dataset.f, t: +(e.dataset.t || e.dataset.f), x: place(+e.dataset.f, from, to), rect: e.tagName === "rect",
      least: Math.min(+e.getAttribute("width") || 0, 2.5), wide: +e.dataset.w || 0 };
  });
  var ticks = svg.querySelector(".ticks"), cursor = document.createElementNS(NS, "line");
  cursor.setAttribute("class", "cursor");
  cursor.setAttribute("y1", top);
  cursor.setAttribute("y2", bottom);
  cursor.style.display = "none";
  svg.appendChild(cursor);
  var here = null;

  function place(t, a, b) { return L + (R - L) * (t - a) / (b - a); }
  function seconds(t, step) {
    var digits = Math.max(0, Math.min(9, Math.ceil(9 - Math.log10(step))));
    return (t / 1e9).toFixed(digits) + "s";
  }
  function step() {
    var s = 1;
    for (;;) {
      for (var i = 0; i < 3; i++) { var n = s * [1, 2, 5][i]; if ((b - a) / n <= 8) { return n; } }
      s *= 10;
    }
  }
  function draw() {
    bars.forEach(function (o) {
      var x1 = place(o.f, a, b), x2 = place(o.t, a, b), out = x2 < L - 1 || x1 > R + 1;
      o.e.style.display = out ? "none" : "";
      if (out) { return; }
      if (o.rect) {
        var x = Math.max(x1, L), w = Math.max(Math.min(x2, R) - x, o.least);
        o.e.setAttribute("x", Math.min(x, R - w).toFixed(2));
        o.e.setAttribute("width", w.toFixed(2));
        return;
      }
      var shown = Math.max(x1, L);
      if (o.wide && Math.min(x2, R) - shown < o.wide) { o.e.style.display = "none"; return; }
      o.e.setAttribute("transform", "translate(" + (shown - o.x).toFixed(2) + ")");
    });
    ticks.textContent = "";
    var n = step();
    for (var t = Math.ceil(a / n) * n; t <= b; t += n) {
      var label = document.createElementNS(NS, "text"), line = document.createElementNS(NS, "line"), x = place(t, a, b);
      label.textContent = seconds(t, n);
      label.setAttribute("x", Math.min(x, R - 16));
      label.setAttribute("y", top - 6);
      label.setAttribute("font-size", "11");
      label.setAttribute("text-anchor", "middle");
      label.setAttribute("class", "soft");
      line.setAttribute("x1", x); line.setAttribute("x2", x);
      line.setAttribute("y1", top); line.setAttribute("y2", top + 5);
      line.setAttribute("class", "rule");
      ticks.appendChild(label); ticks.appendChild(line);
    }
    mark();
  }
  // On a small screen the timeline scrolls: its names stay in sight, and it begins where a promise is broken.
  var names = svg.querySelector(".names"), scale = function () { return svg.viewBox.baseVal.width / svg.getBoundingClientRect().width; };
  lanes.addEventListener("scroll", function () { names.setAttribute("transform", "translate(" + (lanes.scrollLeft * scale()).toFixed(1) + ")"); });
  var broken = svg.querySelector(".band[data-f]");
  if (broken && lanes.scrollWidth > lanes.clientWidth) {
    lanes.scrollLeft = (+broken.getAttribute("x") - L / 2) / scale() - lanes.clientWidth / 2;
  }
  function mark() {
    var seen = here !== null && here >= a && here <= b;
    cursor.style.display = seen ? "" : "none";
    if (seen) { cursor.setAttribute("x1", place(here, a, b)); cursor.setAttribute("x2", place(here, a, b)); }
  }
  function show(x, y) {
    var least = 100, w = Math.max(Math.min(y - x, to - from), least), s = Math.max(from, Math.min(x, to - w));
    a = s; b = s + w;
    lanes.classList.toggle("zoomed", w < to - from);
    draw();
  }
  function zoom(by, at) { show(at - (at - a) * by, at + (b - at) * by); }
  function instant(event) {
    var box = svg.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
    return Math.max(a, Math.min(b, a + (x - L) / (R - L) * (b - a)));
  }
  function move(share) { var d = (b - a) * share; show(a + d, b + d); }
  lanes.addEventListener("wheel", function (e) {
    if (!e.ctrlKey) { return; }
    e.preventDefault();
    zoom(e.deltaY > 0 ? 1.25 : 0.8, instant(e));
  }, { passive: false });
  var drag = null;
  lanes.addEventListener("pointerdown", function (e) { if (e.button === 0 && b - a < to - from) { drag = { x: e.clientX, a: a, b: b }; lanes.setPointerCapture(e.pointerId); } });
  lanes.addEventListener("pointerup", function () { drag = null; });
  lanes.addEventListener("pointercancel", function () { drag = null; });
  lanes.addEventListener("pointermove", function (e) {
    if (drag) {
      var box = svg.getBoundingClientRect(), d = (drag.x - e.clientX) / (box.width * (R - L) / svg.viewBox.baseVal.width) * (drag.b - drag.a);
      show(drag.a + d, drag.b + d);
    }
    if (e.pointerType === "mouse") { read(instant(e)); }
  });
  lanes.addEventListener("keydown", function (e) {
    var middle = (a + b) / 2;
    switch (e.key) {
      case "+": case "=": zoom(0.5, middle); break;
      case "-": zoom(2, middle); break;
      case "0": show(from, to); break;
      case "ArrowLeft": if (b - a >= to - from) { return; } move(-0.15); break;
      case "ArrowRight": if (b - a >= to - from) { return; } move(0.15); break;
      default: return;
    }
    e.preventDefault();
  });

  // What the clocks of the hosts show where the pointer is.
  var clocks = JSON.parse(given.clocks || "[]"), quiet = $("read");
  function ahead(points, t) {
    for (var i = 1; i < points.length; i++) {
      var p = points[i - 1], q = points[i];
      if (t < q[0]) { return q[0] === p[0] ? q[1] : p[1] + (q[1] - p[1]) * (t - p[0]) / (q[0] - p[0]); }
    }
    return points.length ? points[points.length - 1][1] : 0;
  }
  function read(t) {
    var text = "true time " + (t / 1e9).toFixed(6) + "s";
    var wrong = clocks.map(function (c) { return [c[0], ahead(c[1], t)]; }).filter(function (c) { return Math.abs(c[1]) >= 500; });
    text += wrong.length ? "; clocks: " + wrong.map(function (c) { return c[0] + " " + (c[1] > 0 ? "+" : "−") + Math.abs(c[1] / 1e9).toFixed(6) + "s"; }).join(", ") + "; all others are true"
      : "; all clocks are true";
    quiet.setAttribute("aria-live", "off");
    quiet.textContent = text;
  }

  // Step through the moments of all stories.
  var moments = Array.prototype.slice.call(document.querySelectorAll(".moments li")), now = -1;
  function go(i) {
    if (!moments.length) { return; }
    if (now >= 0) { moments[now].classList.remove("now"); }
    now = Math.max(0, Math.min(moments.length - 1, i));
    var m = moments[now];
    m.classList.add("now");
    here = +m.dataset.at;
    if (here < a || here > b) { var w = b - a; show(here - w / 2, here + w / 2); }
    quiet.setAttribute("aria-live", "polite");
    quiet.textContent = m.querySelector("time").textContent + "  " + m.querySelector("span").textContent;
    mark();
  }
  moments.forEach(function (m, i) { m.addEventListener("click", function () { go(i); }); });

  var doing = {
    "in": function () { zoom(0.5, here !== null && here >= a && here <= b ? here : (a + b) / 2); },
    "out": function () { zoom(2, (a + b) / 2); },
    "all": function () { show(from, to); },
    "window": function () { var w = given.window.split(" "), d = Math.max((w[1] - w[0]) * 0.6, 1e6); show(+w[0] - d, +w[1] + d); },
    "back": function () { go(now - 1); },
    "next": function () { go(now + 1); }
  };
  document.querySelectorAll("button[data-do]").forEach(function (x) { x.addEventListener("click", doing[x.dataset["do"]]); });

  // The history: rows that do not fit the filter are hidden.
  var box = document.querySelector("#history .scroll"), rows = Array.prototype.slice.call(box.querySelector("table").tBodies[0].rows);
  function choice(label, id, column) {
    var seen = [];
    rows.forEach(function (r) { var word = r.cells[column].textContent.split(" ")[0]; if (seen.indexOf(word) < 0) { seen.push(word); } });
    seen = [make("option", { value: "" }, ["all"])].concat(seen.sort().map(function (word) { return make("option", {}, [word]); }));
    return make("label", {}, [label + " ", make("select", { id: id }, seen)]);
  }
  box.before(make("div", { "class": "tools", role: "search" }, [choice("Client", "f-client", 2), choice("Operation", "f-op", 3), choice("Type", "f-type", 4),
    make("label", {}, ["Contains ", make("input", { id: "f-text", type: "search", size: 14 })]), make("span", { id: "f-count", role: "status" })]));
  var fields = ["f-client", "f-op", "f-type", "f-text"].map($);
  function filter() {
    var want = fields.map(function (f) { return f.value.toLowerCase(); }), n = 0;
    rows.forEach(function (r) {
      var c = r.cells, fits = (!want[0] || c[2].textContent.split(" ")[0] === want[0]) && (!want[1] || c[3].textContent === want[1]) &&
        (!want[2] || c[4].textContent === want[2]) && (!want[3] || r.textContent.toLowerCase().indexOf(want[3]) >= 0);
      r.hidden = !fits;
      n += fits ? 1 : 0;
    });
    $("f-count").textContent = n + " of " + rows.length + " rows";
  }
  fields.forEach(function (f) { f.addEventListener("input", filter); });
  filter();
})();
