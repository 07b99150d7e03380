// What runs first, and says why nothing else does where nothing else can.
(function () {
  "use strict";
  var load = document.getElementById("load");
  function no(why) { load.className = "unknown"; load.textContent = why + " Below is one run, as it was drawn."; }
  if (location.hash.indexOf("=") > 0) { document.body.classList.add("linked"); }
  if (/&embed=1/.test(location.hash)) { document.body.classList.add("embed"); }
  if (location.protocol === "file:") {
    no("This page was opened as a file, and browsers let a file load no simulator. Serve its folder with any web server.");
  } else if (!window.WebAssembly || !WebAssembly.compileStreaming || !window.DecompressionStream || !window.Worker) {
    no("This browser is too old for the simulator: it needs WebAssembly, and streams that unpack, as browsers have since 2023.");
  } else {
    import("./playground/page.js").catch(function (err) {
      no("The page could not load its scripts (" + err.message + "). Load it again, or look for the folder playground.");
    });
  }
})();
